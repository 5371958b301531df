-- AlterTable
ALTER TABLE "usage_records" ADD COLUMN     "unpricedTier" BOOLEAN NOT NULL DEFAULT false;
