-- CreateEnum
CREATE TYPE "AccountLinkPurpose" AS ENUM ('invite', 'reset');

-- CreateEnum
CREATE TYPE "SkillSource" AS ENUM ('upload', 'paste', 'folder');

-- CreateEnum
CREATE TYPE "ApprovalStatus" AS ENUM ('pending', 'approved', 'edited', 'denied', 'expired', 'void');

-- AlterTable
ALTER TABLE "configurations" ADD COLUMN     "fourEyes" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "oidcIssuer" TEXT,
ADD COLUMN     "oidcSubject" TEXT;

-- CreateTable
CREATE TABLE "account_links" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "purpose" "AccountLinkPurpose" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "account_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_groups_off" (
    "toolGroup" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "changedBy" UUID,
    "changedByLabel" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_groups_off_pkey" PRIMARY KEY ("toolGroup")
);

-- CreateTable
CREATE TABLE "skills" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source" "SkillSource" NOT NULL,
    "path" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL,
    "pendingVersion" INTEGER,
    "orphanedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "skills_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "skill_versions" (
    "skillId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "allowedTools" JSONB,
    "frontMatter" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "checksum" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "skill_versions_pkey" PRIMARY KEY ("skillId","version")
);

-- CreateTable
CREATE TABLE "configuration_skills" (
    "configurationId" UUID NOT NULL,
    "skillId" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "configuration_skills_pkey" PRIMARY KEY ("configurationId","skillId")
);

-- CreateTable
CREATE TABLE "approval_rules" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "toolName" TEXT,
    "toolGroup" TEXT,
    "configurationId" UUID,
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "approval_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "approvals" (
    "id" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "callId" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "toolName" TEXT NOT NULL,
    "argumentsText" TEXT NOT NULL,
    "argumentsHash" TEXT NOT NULL,
    "ruleId" UUID,
    "ruleName" TEXT NOT NULL,
    "status" "ApprovalStatus" NOT NULL DEFAULT 'pending',
    "requestedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "decidedAt" TIMESTAMP(3),
    "decidedBy" UUID,
    "decidedByLabel" TEXT,
    "editedArguments" TEXT,
    "message" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_links_tokenHash_key" ON "account_links"("tokenHash");

-- CreateIndex
CREATE INDEX "account_links_userId_idx" ON "account_links"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "skills_name_key" ON "skills"("name");

-- CreateIndex
CREATE UNIQUE INDEX "skills_path_key" ON "skills"("path");

-- CreateIndex
CREATE INDEX "configuration_skills_skillId_idx" ON "configuration_skills"("skillId");

-- CreateIndex
CREATE UNIQUE INDEX "approval_rules_name_key" ON "approval_rules"("name");

-- CreateIndex
CREATE INDEX "approvals_status_requestedAt_idx" ON "approvals"("status", "requestedAt");

-- CreateIndex
CREATE UNIQUE INDEX "approvals_runId_callId_key" ON "approvals"("runId", "callId");

-- CreateIndex
CREATE INDEX "audit_entries_actorLabel_at_idx" ON "audit_entries"("actorLabel", "at" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_action_at_idx" ON "audit_entries"("action", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "users_oidcIssuer_oidcSubject_key" ON "users"("oidcIssuer", "oidcSubject");

-- AddForeignKey
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "skills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "configuration_skills" ADD CONSTRAINT "configuration_skills_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "configuration_skills" ADD CONSTRAINT "configuration_skills_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "skills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Runs from before have no canary, no skills, and were not limited by groups or data class.
UPDATE "run_events" SET "data" = "data"
  || '{"canary": ""}'::jsonb
  || jsonb_build_object('snapshot', "data"->'snapshot'
       || '{"allowedToolGroups": null, "raisedDataClass": null, "skills": []}'::jsonb)
  WHERE "type" = 'run-start';
