-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "limits" JSONB;
