-- Notices of sign-ins become those of any alert that is an entry of the audit.
ALTER TABLE "sign_in_notices" RENAME TO "audit_notices";
ALTER TABLE "audit_notices" RENAME CONSTRAINT "sign_in_notices_pkey" TO "audit_notices_pkey";
ALTER TABLE "audit_notices" RENAME CONSTRAINT "sign_in_notices_alertId_fkey" TO "audit_notices_alertId_fkey";
ALTER TABLE "audit_notices" RENAME CONSTRAINT "sign_in_notices_channelId_fkey" TO "audit_notices_channelId_fkey";
ALTER INDEX "sign_in_notices_channelId_idx" RENAME TO "audit_notices_channelId_idx";
