-- CreateIndex
CREATE INDEX "runs_userId_taskId_createdAt_idx" ON "runs"("userId", "taskId", "createdAt" DESC);
