-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "apiKeyId" UUID;

-- CreateIndex
CREATE INDEX "runs_apiKeyId_idx" ON "runs"("apiKeyId");

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;
