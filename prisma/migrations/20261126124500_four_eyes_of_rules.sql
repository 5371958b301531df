-- AlterTable
ALTER TABLE "approval_rules" ADD COLUMN     "fourEyes" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "fourEyesRule" TEXT;
