-- AlterTable
ALTER TABLE "data_sources" ADD COLUMN     "querySecretId" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "data_sources_querySecretId_key" ON "data_sources"("querySecretId");

-- AddForeignKey
ALTER TABLE "data_sources" ADD CONSTRAINT "data_sources_querySecretId_fkey" FOREIGN KEY ("querySecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;
