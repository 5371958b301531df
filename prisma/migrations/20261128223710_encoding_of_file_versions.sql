-- AlterTable
ALTER TABLE "file_versions" ADD COLUMN     "encoding" TEXT NOT NULL DEFAULT 'utf-8';
