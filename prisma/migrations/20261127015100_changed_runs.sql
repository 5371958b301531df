-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "allowedOverrides" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "changedFrom" UUID;

-- CreateIndex
CREATE INDEX "runs_changedFrom_idx" ON "runs"("changedFrom");
