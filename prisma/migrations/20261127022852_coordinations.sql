-- DropIndex
DROP INDEX "runs_panelId_idx";

-- AlterTable
ALTER TABLE "panels" ADD COLUMN     "accessEpoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "apiKeyId" UUID,
ADD COLUMN     "hasTurns" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "refusals" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "stoppedBy" TEXT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "panelPlace" INTEGER;

-- CreateIndex
CREATE INDEX "panels_hasTurns_idx" ON "panels"("hasTurns");

-- CreateIndex
CREATE UNIQUE INDEX "runs_panelId_panelPlace_key" ON "runs"("panelId", "panelPlace");
