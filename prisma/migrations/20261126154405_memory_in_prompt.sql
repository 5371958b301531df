-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "memoryInPrompt" BOOLEAN NOT NULL DEFAULT false;
