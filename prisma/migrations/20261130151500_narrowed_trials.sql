-- AlterTable
ALTER TABLE "kept_trials" ADD COLUMN     "configuration" TEXT,
ADD COLUMN     "group" TEXT,
ADD COLUMN     "lost" INTEGER NOT NULL DEFAULT 0;
