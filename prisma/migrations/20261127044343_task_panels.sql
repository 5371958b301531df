-- AlterTable
ALTER TABLE "scheduled_starts" ADD COLUMN     "panelId" UUID;

-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "taskId" UUID,
ADD COLUMN     "variables" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "panel" JSONB;

-- CreateIndex
CREATE INDEX "scheduled_starts_panelId_idx" ON "scheduled_starts"("panelId");

-- CreateIndex
CREATE INDEX "schedules_taskId_idx" ON "schedules"("taskId");

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "tasks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scheduled_starts" ADD CONSTRAINT "scheduled_starts_panelId_fkey" FOREIGN KEY ("panelId") REFERENCES "panels"("id") ON DELETE SET NULL ON UPDATE CASCADE;
