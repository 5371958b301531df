-- CreateEnum
CREATE TYPE "CapabilitySource" AS ENUM ('reported', 'tested', 'assumed');

-- CreateEnum
CREATE TYPE "ToolMode" AS ENUM ('auto', 'native', 'prompted');

-- CreateEnum
CREATE TYPE "CostCapMode" AS ENUM ('off', 'warn', 'enforce');

-- CreateEnum
CREATE TYPE "BudgetScope" AS ENUM ('site', 'group', 'user', 'configuration');

-- CreateEnum
CREATE TYPE "BudgetWindow" AS ENUM ('day', 'month');

-- CreateEnum
CREATE TYPE "BudgetUnit" AS ENUM ('requests', 'tokens', 'micro-usd');

-- CreateEnum
CREATE TYPE "UnpricedRule" AS ENUM ('refuse', 'count-tokens');

-- CreateEnum
CREATE TYPE "ReservationStatus" AS ENUM ('open', 'settled', 'released');

-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "costCapMicroUsd" BIGINT,
ADD COLUMN     "costCapMode" "CostCapMode" NOT NULL DEFAULT 'warn',
ADD COLUMN     "toolMode" "ToolMode" NOT NULL DEFAULT 'auto',
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "connectTimeoutMs" INTEGER,
ADD COLUMN     "firstByteTimeoutMs" INTEGER,
ADD COLUMN     "headerNames" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "headersSecretId" UUID,
ADD COLUMN     "idleTimeoutMs" INTEGER,
ADD COLUMN     "lastTest" JSONB,
ADD COLUMN     "maxTries" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN     "privateAddressAllowed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "models" ADD COLUMN     "capabilitySources" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "reasoning" BOOLEAN,
ADD COLUMN     "structuredOutput" BOOLEAN,
ADD COLUMN     "toolCallingSource" "CapabilitySource",
ADD COLUMN     "toolCallingTestedAt" TIMESTAMP(3),
ADD COLUMN     "unsupportedParameters" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "vision" BOOLEAN;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "costCapChoice" TEXT,
ADD COLUMN     "costCapChosenBy" TEXT,
ADD COLUMN     "taskId" UUID;

-- AlterTable
ALTER TABLE "usage_records" ADD COLUMN     "errorCategory" TEXT;

-- CreateTable
CREATE TABLE "connection_health" (
    "connectionId" UUID NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "openUntil" TIMESTAMP(3),
    "probeAt" TIMESTAMP(3),
    "lastCategory" TEXT NOT NULL DEFAULT '',
    "lastAdvice" TEXT NOT NULL DEFAULT '',
    "lastFailedAt" TIMESTAMP(3),

    CONSTRAINT "connection_health_pkey" PRIMARY KEY ("connectionId")
);

-- CreateTable
CREATE TABLE "model_prices" (
    "id" UUID NOT NULL,
    "modelRecordId" UUID NOT NULL,
    "validFrom" TIMESTAMP(3) NOT NULL,
    "input" INTEGER,
    "output" INTEGER,
    "cachedInput" INTEGER,
    "cacheWrite" INTEGER,
    "reasoning" INTEGER,
    "source" TEXT NOT NULL DEFAULT '',
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_prices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "configuration_versions" (
    "configurationId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "data" JSONB NOT NULL,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "configuration_versions_pkey" PRIMARY KEY ("configurationId","version")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "prompt" TEXT NOT NULL,
    "variables" JSONB NOT NULL DEFAULT '[]',
    "configurationId" UUID,
    "costCapMicroUsd" BIGINT,
    "costCapMode" "CostCapMode" NOT NULL DEFAULT 'warn',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "task_versions" (
    "taskId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "data" JSONB NOT NULL,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "task_versions_pkey" PRIMARY KEY ("taskId","version")
);

-- CreateTable
CREATE TABLE "task_skills" (
    "taskId" UUID NOT NULL,
    "skillId" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "task_skills_pkey" PRIMARY KEY ("taskId","skillId")
);

-- CreateTable
CREATE TABLE "call_records" (
    "runId" UUID NOT NULL,
    "callId" TEXT NOT NULL,
    "toolName" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "configurationId" UUID,
    "outcome" TEXT NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "call_records_pkey" PRIMARY KEY ("runId","callId")
);

-- CreateTable
CREATE TABLE "budgets" (
    "id" UUID NOT NULL,
    "scope" "BudgetScope" NOT NULL,
    "scopeId" UUID,
    "window" "BudgetWindow" NOT NULL,
    "unit" "BudgetUnit" NOT NULL,
    "amount" BIGINT NOT NULL,
    "unpriced" "UnpricedRule" NOT NULL DEFAULT 'refuse',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_counters" (
    "budgetId" UUID NOT NULL,
    "windowStart" TIMESTAMP(3) NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "spent" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "budget_counters_pkey" PRIMARY KEY ("budgetId","windowStart")
);

-- CreateTable
CREATE TABLE "budget_reservations" (
    "id" UUID NOT NULL,
    "callId" UUID NOT NULL,
    "budgetId" UUID NOT NULL,
    "windowStart" TIMESTAMP(3) NOT NULL,
    "runId" UUID NOT NULL,
    "instanceId" UUID NOT NULL,
    "reserved" BIGINT NOT NULL,
    "settled" BIGINT NOT NULL DEFAULT 0,
    "status" "ReservationStatus" NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settledAt" TIMESTAMP(3),

    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_alerts" (
    "id" UUID NOT NULL,
    "budgetId" UUID NOT NULL,
    "windowStart" TIMESTAMP(3) NOT NULL,
    "percent" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seenBy" TEXT,
    "seenAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMP(3),
    "lastError" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "budget_alerts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "model_prices_modelRecordId_validFrom_key" ON "model_prices"("modelRecordId", "validFrom");

-- CreateIndex
CREATE UNIQUE INDEX "tasks_identifier_key" ON "tasks"("identifier");

-- CreateIndex
CREATE INDEX "task_skills_skillId_idx" ON "task_skills"("skillId");

-- CreateIndex
CREATE INDEX "call_records_toolName_at_idx" ON "call_records"("toolName", "at");

-- CreateIndex
CREATE INDEX "call_records_at_idx" ON "call_records"("at");

-- CreateIndex
CREATE INDEX "budget_reservations_status_instanceId_idx" ON "budget_reservations"("status", "instanceId");

-- CreateIndex
CREATE INDEX "budget_reservations_budgetId_windowStart_idx" ON "budget_reservations"("budgetId", "windowStart");

-- CreateIndex
CREATE INDEX "budget_reservations_runId_idx" ON "budget_reservations"("runId");

-- CreateIndex
CREATE UNIQUE INDEX "budget_reservations_callId_budgetId_key" ON "budget_reservations"("callId", "budgetId");

-- CreateIndex
CREATE INDEX "budget_alerts_seenAt_idx" ON "budget_alerts"("seenAt");

-- CreateIndex
CREATE UNIQUE INDEX "budget_alerts_budgetId_windowStart_percent_key" ON "budget_alerts"("budgetId", "windowStart", "percent");

-- CreateIndex
CREATE INDEX "usage_records_modelRecordId_at_idx" ON "usage_records"("modelRecordId", "at");

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_headersSecretId_fkey" FOREIGN KEY ("headersSecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_health" ADD CONSTRAINT "connection_health_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_prices" ADD CONSTRAINT "model_prices_modelRecordId_fkey" FOREIGN KEY ("modelRecordId") REFERENCES "models"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "configuration_versions" ADD CONSTRAINT "configuration_versions_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_versions" ADD CONSTRAINT "task_versions_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_skills" ADD CONSTRAINT "task_skills_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_skills" ADD CONSTRAINT "task_skills_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "skills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "tasks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call_records" ADD CONSTRAINT "call_records_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget_counters" ADD CONSTRAINT "budget_counters_budgetId_fkey" FOREIGN KEY ("budgetId") REFERENCES "budgets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_budgetId_fkey" FOREIGN KEY ("budgetId") REFERENCES "budgets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Prices so far hold from the day their model was added.
INSERT INTO "model_prices" ("id", "modelRecordId", "validFrom", "input", "output", "cachedInput", "cacheWrite",
    "reasoning", "source", "createdByLabel")
  SELECT gen_random_uuid(), "id", "createdAt", "inputPrice", "outputPrice", "cachedInputPrice", "cacheWritePrice",
    "reasoningPrice", '', 'Toolgate'
  FROM "models"
  WHERE coalesce("inputPrice", "outputPrice", "cachedInputPrice", "cacheWritePrice", "reasoningPrice") IS NOT NULL;

-- AlterTable
ALTER TABLE "models" DROP COLUMN "cacheWritePrice",
DROP COLUMN "cachedInputPrice",
DROP COLUMN "inputPrice",
DROP COLUMN "outputPrice",
DROP COLUMN "reasoningPrice";

-- Addresses in private networks that were in use stay in use.
UPDATE "connections" SET "privateAddressAllowed" = true
  WHERE ("wire" = 'ollama' AND "baseUrl" IS NULL)
    OR "baseUrl" ~* '^https?://(localhost|[^./:]+([:/]|$)|127[.]|10[.]|192[.]168[.]|172[.](1[6-9]|2[0-9]|3[01])[.]|[[]|[^/]*[.](local|internal|lan|home|localhost|svc)([:/]|$))';

UPDATE "models" SET "toolCallingSource" = 'assumed' WHERE "toolCalling" <> 'unconfirmed';

-- Calls of runs from before, out of their journals.
INSERT INTO "call_records" ("runId", "callId", "toolName", "userId", "configurationId", "outcome", "durationMs", "at")
  SELECT e."runId", e."data"->>'callId', e."data"->>'name', r."userId", r."configurationId",
    e."data"->'outcome'->>'type', round((e."data"->>'durationMs')::numeric)::int, e."at"
  FROM "run_events" e JOIN "runs" r ON r."id" = e."runId"
  WHERE e."type" = 'call-end'
  ON CONFLICT DO NOTHING;

-- Journals from before say what runs keep now.
UPDATE "run_events" SET "data" = jsonb_set("data", '{snapshot}', "data"->'snapshot'
    || '{"task": null, "toolMode": "auto", "costCaps": []}'
    || jsonb_build_object('targets', (
      SELECT jsonb_agg(t.target || '{"unsupportedParameters": [], "maxTries": 3}' ORDER BY t.place)
      FROM jsonb_array_elements("data"->'snapshot'->'targets') WITH ORDINALITY AS t(target, place))))
  WHERE "type" = 'run-start';
