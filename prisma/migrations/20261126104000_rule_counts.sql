-- How many calls a rule that only observes matched since it was made or changed. No row = none.
CREATE TABLE "rule_counts" (
    "ruleId" UUID NOT NULL,
    "calls" BIGINT NOT NULL,
    "lastAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "rule_counts_pkey" PRIMARY KEY ("ruleId")
);
