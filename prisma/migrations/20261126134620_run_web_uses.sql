-- CreateTable
CREATE TABLE "run_web_uses" (
    "runId" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,
    "granted" BIGINT NOT NULL,
    "hosts" TEXT[],

    CONSTRAINT "run_web_uses_pkey" PRIMARY KEY ("runId")
);

-- AddForeignKey
ALTER TABLE "run_web_uses" ADD CONSTRAINT "run_web_uses_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
