-- CreateTable
CREATE TABLE "connection_failures" (
    "connectionId" UUID NOT NULL,
    "category" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "modelRecordId" UUID,
    "runId" UUID,
    "status" INTEGER,
    "advice" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connection_failures_pkey" PRIMARY KEY ("connectionId","category","scope")
);

-- AddForeignKey
ALTER TABLE "connection_failures" ADD CONSTRAINT "connection_failures_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_failures" ADD CONSTRAINT "connection_failures_modelRecordId_fkey" FOREIGN KEY ("modelRecordId") REFERENCES "models"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_failures" ADD CONSTRAINT "connection_failures_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;
