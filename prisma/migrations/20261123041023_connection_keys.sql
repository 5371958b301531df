ALTER TABLE "connections" ADD COLUMN "pooled" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "connection_keys" (
    "id" UUID NOT NULL,
    "connectionId" UUID NOT NULL,
    "secretId" UUID,
    "label" TEXT NOT NULL,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "requestsPerMinute" INTEGER,
    "tokensPerMinute" INTEGER,
    "windowStart" TIMESTAMP(3),
    "requests" INTEGER NOT NULL DEFAULT 0,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "leftRequests" INTEGER,
    "leftRequestsUntil" TIMESTAMP(3),
    "leftTokens" INTEGER,
    "leftTokensUntil" TIMESTAMP(3),
    "cooledUntil" TIMESTAMP(3),
    "lastCategory" TEXT NOT NULL DEFAULT '',
    "lastAdvice" TEXT NOT NULL DEFAULT '',
    "lastFailedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "connection_keys_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "connection_keys_secretId_key" ON "connection_keys"("secretId");
CREATE UNIQUE INDEX "connection_keys_connectionId_label_key" ON "connection_keys"("connectionId", "label");
-- A connection has one key of its own, and at most one row that says how it is used.
CREATE UNIQUE INDEX "connection_keys_own" ON "connection_keys"("connectionId") WHERE "secretId" IS NULL;

ALTER TABLE "connection_keys" ADD CONSTRAINT "connection_keys_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "connection_keys" ADD CONSTRAINT "connection_keys_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "vault_secrets"("id") ON DELETE CASCADE ON UPDATE CASCADE;
