-- How often a tool may be called, and when calls of it started in the last minute.
CREATE TABLE "tool_limits" (
    "toolName" TEXT NOT NULL,
    "perMinute" INTEGER,
    "perRun" INTEGER,
    "changedBy" UUID,
    "changedByLabel" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_limits_pkey" PRIMARY KEY ("toolName")
);

CREATE TABLE "tool_starts" (
    "toolName" TEXT NOT NULL,
    "starts" TIMESTAMPTZ(3)[],

    CONSTRAINT "tool_starts_pkey" PRIMARY KEY ("toolName")
);
