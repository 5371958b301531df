-- What filters ask of a run is in one index, so that runs are counted without their rows, which are wide. Dearest and longest runs
-- are found in their order.
CREATE INDEX "runs_facts_idx" ON "runs"("createdAt" DESC, "id" DESC, "failed", "source", "status", "endReason", "userId",
  "configurationId", "taskId", "apiKeyId", "costMicroUsd", "durationMs");
CREATE INDEX "runs_cost_idx" ON "runs"("costMicroUsd" DESC NULLS LAST, "createdAt" DESC, "id" DESC);
CREATE INDEX "runs_duration_idx" ON "runs"("durationMs" DESC NULLS FIRST, "createdAt" DESC, "id" DESC);
DROP INDEX "runs_createdAt_idx";
DROP INDEX "runs_failed_idx";
