-- CreateEnum
CREATE TYPE "ServerAccount" AS ENUM ('none', 'site', 'person', 'client');

-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "account" "ServerAccount" NOT NULL DEFAULT 'none',
ADD COLUMN     "clientId" TEXT,
ADD COLUMN     "clientSecretId" UUID;

-- CreateTable
CREATE TABLE "connected_accounts" (
    "id" UUID NOT NULL,
    "serverId" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "userId" UUID,
    "issuer" TEXT,
    "resource" TEXT NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "wantedScopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "stepUps" INTEGER NOT NULL DEFAULT 0,
    "secretId" UUID NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "usable" BOOLEAN NOT NULL DEFAULT true,
    "trouble" TEXT NOT NULL DEFAULT '',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "refreshUntil" TIMESTAMP(3),
    "connectedByLabel" TEXT NOT NULL,
    "connectedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refreshedAt" TIMESTAMP(3),

    CONSTRAINT "connected_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "server_clients" (
    "id" UUID NOT NULL,
    "serverId" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "secretId" UUID,
    "documentRefused" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "server_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_requests" (
    "id" UUID NOT NULL,
    "stateHash" TEXT NOT NULL,
    "serverId" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "sessionId" UUID NOT NULL,
    "secretId" UUID NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "account_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "connected_accounts_secretId_key" ON "connected_accounts"("secretId");

-- CreateIndex
CREATE INDEX "connected_accounts_userId_idx" ON "connected_accounts"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "connected_accounts_serverId_owner_key" ON "connected_accounts"("serverId", "owner");

-- CreateIndex
CREATE UNIQUE INDEX "server_clients_secretId_key" ON "server_clients"("secretId");

-- CreateIndex
CREATE UNIQUE INDEX "server_clients_serverId_issuer_key" ON "server_clients"("serverId", "issuer");

-- CreateIndex
CREATE UNIQUE INDEX "account_requests_stateHash_key" ON "account_requests"("stateHash");

-- CreateIndex
CREATE UNIQUE INDEX "account_requests_secretId_key" ON "account_requests"("secretId");

-- CreateIndex
CREATE INDEX "account_requests_expiresAt_idx" ON "account_requests"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "servers_clientSecretId_key" ON "servers"("clientSecretId");

-- AddForeignKey
ALTER TABLE "servers" ADD CONSTRAINT "servers_clientSecretId_fkey" FOREIGN KEY ("clientSecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "vault_secrets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_clients" ADD CONSTRAINT "server_clients_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_clients" ADD CONSTRAINT "server_clients_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "vault_secrets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_requests" ADD CONSTRAINT "account_requests_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_requests" ADD CONSTRAINT "account_requests_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "vault_secrets"("id") ON DELETE CASCADE ON UPDATE CASCADE;
