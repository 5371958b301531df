-- AlterTable
ALTER TABLE "usage_records" ADD COLUMN     "retried" BOOLEAN NOT NULL DEFAULT false;
