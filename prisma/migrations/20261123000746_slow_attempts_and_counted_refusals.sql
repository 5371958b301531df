-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "count" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "lastAt" TIMESTAMP(3),
ADD COLUMN     "refusalKey" TEXT;

-- AlterTable
ALTER TABLE "sign_in_failures" ADD COLUMN     "failures" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "forgetAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_refusalKey_key" ON "audit_entries"("refusalKey");

-- CreateIndex
CREATE INDEX "sign_in_failures_forgetAt_idx" ON "sign_in_failures"("forgetAt");
