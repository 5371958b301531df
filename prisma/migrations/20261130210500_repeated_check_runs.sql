-- AlterTable
ALTER TABLE "check_runs" ADD COLUMN     "idempotencyHash" TEXT,
ADD COLUMN     "idempotencyKey" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "check_runs_userId_idempotencyKey_key" ON "check_runs"("userId", "idempotencyKey");
