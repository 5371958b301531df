-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "afterUntrusted" TEXT NOT NULL DEFAULT 'ask';
-- Configurations from before go on as they were; new ones ask.
UPDATE "configurations" SET "afterUntrusted" = 'allow';
