-- AlterTable
ALTER TABLE "remote_tools" ADD COLUMN     "look" JSONB;
