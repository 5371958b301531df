-- CreateTable
CREATE TABLE "sign_in_notices" (
    "alertId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "attempts" INTEGER NOT NULL,
    "attemptedAt" TIMESTAMP(3) NOT NULL,
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,
    "deliveredAt" TIMESTAMP(3),
    "lastError" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "sign_in_notices_pkey" PRIMARY KEY ("alertId","channelId")
);

-- CreateIndex
CREATE INDEX "sign_in_notices_channelId_idx" ON "sign_in_notices"("channelId");

-- AddForeignKey
ALTER TABLE "sign_in_notices" ADD CONSTRAINT "sign_in_notices_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES "audit_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_notices" ADD CONSTRAINT "sign_in_notices_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
