-- Channels can tell people about calls that wait for approval. Existing ones do not.
ALTER TABLE "channels" ADD COLUMN "approvalAlerts" BOOLEAN NOT NULL DEFAULT false;

-- CreateEnum
CREATE TYPE "ApprovalNoticeKind" AS ENUM ('waiting', 'expiring');

-- CreateTable
CREATE TABLE "approval_notices" (
    "approvalId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "kind" "ApprovalNoticeKind" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,
    "deliveredAt" TIMESTAMP(3),

    CONSTRAINT "approval_notices_pkey" PRIMARY KEY ("approvalId","channelId","kind")
);

-- CreateIndex
CREATE INDEX "approval_notices_channelId_idx" ON "approval_notices"("channelId");

-- AddForeignKey
ALTER TABLE "approval_notices" ADD CONSTRAINT "approval_notices_approvalId_fkey" FOREIGN KEY ("approvalId") REFERENCES "approvals"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval_notices" ADD CONSTRAINT "approval_notices_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
