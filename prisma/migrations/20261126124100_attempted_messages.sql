-- When a message to a channel was tried last, and what came of a message about a waiting call.
ALTER TABLE "alert_deliveries" ADD COLUMN "attemptedAt" TIMESTAMP(3);
UPDATE "alert_deliveries" d SET "attemptedAt" = coalesce(d."deliveredAt", a.at)
FROM "budget_alerts" a WHERE a.id = d."alertId";
ALTER TABLE "alert_deliveries" ALTER COLUMN "attemptedAt" SET NOT NULL;

ALTER TABLE "approval_notices" ADD COLUMN "attemptedAt" TIMESTAMP(3),
ADD COLUMN "lastError" TEXT NOT NULL DEFAULT '';
UPDATE "approval_notices" n SET "attemptedAt" = coalesce(n."deliveredAt", a."requestedAt")
FROM "approvals" a WHERE a.id = n."approvalId";
ALTER TABLE "approval_notices" ALTER COLUMN "attemptedAt" SET NOT NULL;

-- The last messages of a channel are found without reading all of them.
DROP INDEX "alert_deliveries_channelId_idx";
DROP INDEX "approval_notices_channelId_idx";
CREATE INDEX "alert_deliveries_channelId_attemptedAt_idx" ON "alert_deliveries"("channelId", "attemptedAt");
CREATE INDEX "approval_notices_channelId_attemptedAt_idx" ON "approval_notices"("channelId", "attemptedAt");
