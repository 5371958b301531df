-- AlterTable
ALTER TABLE "panels" ADD COLUMN     "costCapByAdmin" TEXT,
ADD COLUMN     "costCapChoice" TEXT,
ADD COLUMN     "costCapChosenBy" TEXT;
