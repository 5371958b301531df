-- CreateEnum
CREATE TYPE "ServerKind" AS ENUM ('http', 'sse', 'stdio');

-- CreateTable
CREATE TABLE "servers" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "ServerKind" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "url" TEXT,
    "privateAddressAllowed" BOOLEAN NOT NULL DEFAULT false,
    "command" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "headersSecretId" UUID,
    "headerNames" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "variablesSecretId" UUID,
    "variableNames" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "callSeconds" INTEGER NOT NULL DEFAULT 60,
    "era" JSONB,
    "eraAt" TIMESTAMP(3),
    "saidName" TEXT NOT NULL DEFAULT '',
    "saidVersion" TEXT NOT NULL DEFAULT '',
    "protocol" TEXT NOT NULL DEFAULT '',
    "checkedAt" TIMESTAMP(3),
    "downSince" TIMESTAMP(3),
    "trouble" TEXT NOT NULL DEFAULT '',
    "problems" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "servers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "remote_tools" (
    "id" UUID NOT NULL,
    "serverId" UUID NOT NULL,
    "remoteName" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seen" JSONB NOT NULL,
    "seenHash" TEXT NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "goneAt" TIMESTAMP(3),
    "accepted" JSONB,
    "acceptedHash" TEXT,
    "acceptedAt" TIMESTAMP(3),
    "acceptedByLabel" TEXT NOT NULL DEFAULT '',
    "description" TEXT,
    "effect" TEXT NOT NULL DEFAULT 'write',
    "dataClass" TEXT NOT NULL DEFAULT 'secret-adjacent',
    "requiresAdmin" BOOLEAN NOT NULL DEFAULT true,
    "pin" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "remote_tools_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "servers_name_key" ON "servers"("name");

-- CreateIndex
CREATE UNIQUE INDEX "servers_headersSecretId_key" ON "servers"("headersSecretId");

-- CreateIndex
CREATE UNIQUE INDEX "servers_variablesSecretId_key" ON "servers"("variablesSecretId");

-- CreateIndex
CREATE UNIQUE INDEX "remote_tools_name_key" ON "remote_tools"("name");

-- CreateIndex
CREATE UNIQUE INDEX "remote_tools_serverId_remoteName_key" ON "remote_tools"("serverId", "remoteName");

-- AddForeignKey
ALTER TABLE "servers" ADD CONSTRAINT "servers_headersSecretId_fkey" FOREIGN KEY ("headersSecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "servers" ADD CONSTRAINT "servers_variablesSecretId_fkey" FOREIGN KEY ("variablesSecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "remote_tools" ADD CONSTRAINT "remote_tools_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
