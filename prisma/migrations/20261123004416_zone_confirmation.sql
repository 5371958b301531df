-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "zoneConfirmation" JSONB;
