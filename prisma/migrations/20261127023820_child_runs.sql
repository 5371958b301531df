-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "parentCallId" TEXT,
ADD COLUMN     "parentRunId" UUID;

-- CreateIndex
CREATE INDEX "runs_parentRunId_idx" ON "runs"("parentRunId");
