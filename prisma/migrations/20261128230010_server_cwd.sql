-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "cwd" TEXT,
ADD COLUMN     "excludeTools" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "includeTools" TEXT[] DEFAULT ARRAY[]::TEXT[];
