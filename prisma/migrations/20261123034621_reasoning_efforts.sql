-- AlterTable
ALTER TABLE "models" ADD COLUMN     "reasoningEfforts" TEXT[] DEFAULT ARRAY[]::TEXT[];
