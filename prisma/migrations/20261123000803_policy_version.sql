-- CreateTable
CREATE TABLE "policy_version" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "policy_version_pkey" PRIMARY KEY ("id")
);

INSERT INTO "policy_version" DEFAULT VALUES;
