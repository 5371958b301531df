-- CreateEnum
CREATE TYPE "ChannelKind" AS ENUM ('webhook', 'slack', 'smtp');

-- CreateEnum
CREATE TYPE "MailSecurity" AS ENUM ('tls', 'starttls', 'none');

-- CreateTable
CREATE TABLE "alert_deliveries" (
    "alertId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAttemptAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "lastError" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "alert_deliveries_pkey" PRIMARY KEY ("alertId","channelId")
);

-- CreateTable
CREATE TABLE "channels" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "ChannelKind" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "budgetAlerts" BOOLEAN NOT NULL DEFAULT false,
    "privateAddressAllowed" BOOLEAN NOT NULL DEFAULT false,
    "addressSecretId" UUID,
    "shownAddress" TEXT,
    "secretId" UUID,
    "host" TEXT,
    "port" INTEGER,
    "security" "MailSecurity" NOT NULL DEFAULT 'starttls',
    "user" TEXT,
    "sender" TEXT,
    "recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channel_groups" (
    "channelId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "channel_groups_pkey" PRIMARY KEY ("channelId","groupId")
);

-- CreateIndex
CREATE INDEX "alert_deliveries_channelId_idx" ON "alert_deliveries"("channelId");

-- CreateIndex
CREATE UNIQUE INDEX "channels_name_key" ON "channels"("name");

-- CreateIndex
CREATE UNIQUE INDEX "channels_addressSecretId_key" ON "channels"("addressSecretId");

-- CreateIndex
CREATE UNIQUE INDEX "channels_secretId_key" ON "channels"("secretId");

-- CreateIndex
CREATE INDEX "channel_groups_groupId_idx" ON "channel_groups"("groupId");

-- AddForeignKey
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES "budget_alerts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_addressSecretId_fkey" FOREIGN KEY ("addressSecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_groups" ADD CONSTRAINT "channel_groups_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_groups" ADD CONSTRAINT "channel_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The webhook of budget alerts becomes a channel. Its secrets stay in the vault as they are. An address that a version
-- before the vault had it stored in clear stays in its setting, until the next start encrypts it.
INSERT INTO "channels" ("id", "name", "kind", "budgetAlerts", "privateAddressAllowed", "addressSecretId", "shownAddress",
    "secretId", "createdByLabel", "updatedAt")
  SELECT gen_random_uuid(), 'Budget alerts', 'webhook', true, coalesce(("value"->>'privateAddressAllowed')::boolean, false),
    (SELECT "id" FROM "vault_secrets" WHERE "id"::text = "value"->>'urlId'),
    coalesce("value"->>'address', substring("value"->>'url' from '^[a-zA-Z]+://[^/?#]+') || '/…'),
    (SELECT "id" FROM "vault_secrets" WHERE "id"::text = "value"->>'secretId'), 'Toolgate', now() AT TIME ZONE 'UTC'
  FROM "settings" WHERE "key" = 'alert-webhook';

INSERT INTO "alert_deliveries" ("alertId", "channelId", "attempts", "nextAttemptAt", "deliveredAt", "lastError")
  SELECT a."id", c."id", a."attempts", a."nextAttemptAt", a."deliveredAt", a."lastError"
  FROM "budget_alerts" a CROSS JOIN "channels" c WHERE a."attempts" > 0;

DELETE FROM "settings" WHERE "key" = 'alert-webhook' AND NOT "value" ? 'url';

-- AlterTable
ALTER TABLE "budget_alerts" DROP COLUMN "attempts",
DROP COLUMN "deliveredAt",
DROP COLUMN "lastError",
DROP COLUMN "nextAttemptAt";
