-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "pausedAt" TIMESTAMP(3);
