-- AlterTable
ALTER TABLE "groups" ADD COLUMN     "limits" JSONB;
