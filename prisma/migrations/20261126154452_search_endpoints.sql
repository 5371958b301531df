-- CreateEnum
CREATE TYPE "SearchKind" AS ENUM ('searxng', 'brave', 'tavily');

-- CreateTable
CREATE TABLE "search_endpoints" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "SearchKind" NOT NULL,
    "address" TEXT,
    "privateAddressAllowed" BOOLEAN NOT NULL DEFAULT false,
    "keySecretId" UUID,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "search_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "search_endpoints_name_key" ON "search_endpoints"("name");

-- CreateIndex
CREATE UNIQUE INDEX "search_endpoints_keySecretId_key" ON "search_endpoints"("keySecretId");

-- AddForeignKey
ALTER TABLE "search_endpoints" ADD CONSTRAINT "search_endpoints_keySecretId_fkey" FOREIGN KEY ("keySecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;
