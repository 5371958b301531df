-- AlterTable
ALTER TABLE "checks" ALTER COLUMN "runId" DROP NOT NULL;
