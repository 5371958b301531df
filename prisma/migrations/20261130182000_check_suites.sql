-- AlterTable
ALTER TABLE "check_runs" ADD COLUMN "isSuite" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "checks" ADD COLUMN "suites" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "check_runs_name_createdAt_idx" ON "check_runs"("name", "createdAt" DESC);
