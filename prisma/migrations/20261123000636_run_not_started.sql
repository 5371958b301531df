-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "notStarted" BOOLEAN NOT NULL DEFAULT false;

-- Runs that were refused before their first model request were called truncated.
UPDATE "runs" r SET "notStarted" = true, truncated = false
WHERE r.status = 'ended' AND r."endReason" IN ('budget', 'cost-cap', 'frozen', 'context')
  AND NOT EXISTS (SELECT 1 FROM "run_events" e WHERE e."runId" = r.id AND e.type = 'round-start');
