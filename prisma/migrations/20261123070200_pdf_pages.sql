-- AlterTable
ALTER TABLE "files" ADD COLUMN     "pages" INTEGER;
