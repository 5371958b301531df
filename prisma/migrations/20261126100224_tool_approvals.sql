-- CreateTable
CREATE TABLE "tool_approvals" (
    "toolName" TEXT NOT NULL,
    "asks" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "changedBy" UUID,
    "changedByLabel" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_approvals_pkey" PRIMARY KEY ("toolName")
);
