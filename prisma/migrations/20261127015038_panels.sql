-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "panelId" UUID;

-- CreateTable
CREATE TABLE "panels" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "prompt" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "start" JSONB NOT NULL,
    "idempotencyKey" TEXT,
    "idempotencyHash" TEXT,
    "chosenRunId" UUID,
    "chosenNote" TEXT NOT NULL DEFAULT '',
    "chosenBy" TEXT,
    "chosenAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "panels_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "panels_userId_createdAt_idx" ON "panels"("userId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "panels_createdAt_id_idx" ON "panels"("createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "panels_userId_idempotencyKey_key" ON "panels"("userId", "idempotencyKey");

-- CreateIndex
CREATE INDEX "runs_panelId_idx" ON "runs"("panelId");

-- AddForeignKey
ALTER TABLE "panels" ADD CONSTRAINT "panels_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_panelId_fkey" FOREIGN KEY ("panelId") REFERENCES "panels"("id") ON DELETE SET NULL ON UPDATE CASCADE;
