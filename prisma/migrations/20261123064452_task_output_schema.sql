-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "outputSchema" TEXT;
