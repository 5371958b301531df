-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "allowedTools" JSONB NOT NULL DEFAULT '[]';
