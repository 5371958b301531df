-- AlterTable
ALTER TABLE "users" ADD COLUMN     "suspendedFor" TEXT;

-- Who is suspended is disabled, too: each question for a disabled account then holds for both.
ALTER TABLE "users" ADD CONSTRAINT "users_suspended_is_disabled" CHECK ("suspendedFor" IS NULL OR "disabledAt" IS NOT NULL);
