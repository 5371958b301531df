-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "runMessages" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "run_messages" (
    "runId" UUID NOT NULL,
    "callId" TEXT NOT NULL,
    "channelId" UUID NOT NULL,
    "sentByLabel" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL,
    "attemptedAt" TIMESTAMP(3) NOT NULL,
    "deliveredAt" TIMESTAMP(3),
    "isUncertain" BOOLEAN NOT NULL DEFAULT true,
    "lastError" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "run_messages_pkey" PRIMARY KEY ("runId","callId")
);

-- CreateIndex
CREATE INDEX "run_messages_channelId_attemptedAt_idx" ON "run_messages"("channelId", "attemptedAt");

-- AddForeignKey
ALTER TABLE "run_messages" ADD CONSTRAINT "run_messages_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_messages" ADD CONSTRAINT "run_messages_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
