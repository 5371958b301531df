-- AlterTable
ALTER TABLE "usage_records" ADD COLUMN     "costAtMost" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reportedCostMicroUsd" BIGINT;

-- AlterTable
ALTER TABLE "model_prices" ADD COLUMN     "longPrompt" JSONB;
