-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "options" JSONB NOT NULL DEFAULT '{}';
