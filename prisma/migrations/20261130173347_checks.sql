-- CreateTable
CREATE TABLE "checks" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "runId" UUID NOT NULL,
    "configurationId" UUID,
    "configurationName" TEXT NOT NULL,
    "taskId" UUID,
    "hadTask" BOOLEAN NOT NULL DEFAULT false,
    "prompt" TEXT NOT NULL,
    "tools" JSONB,
    "maxRounds" INTEGER,
    "overrides" JSONB,
    "outputSchema" TEXT,
    "costCap" JSONB,
    "recordings" JSONB NOT NULL,
    "leftOut" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "sources" JSONB NOT NULL DEFAULT '{}',
    "assertions" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 1,
    "passes" INTEGER NOT NULL DEFAULT 1,
    "starters" UUID[] DEFAULT ARRAY[]::UUID[],
    "editors" UUID[] DEFAULT ARRAY[]::UUID[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdById" UUID,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "checks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "check_groups" (
    "checkId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "check_groups_pkey" PRIMARY KEY ("checkId","groupId")
);

-- CreateTable
CREATE TABLE "check_files" (
    "checkId" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "dataClass" TEXT NOT NULL,

    CONSTRAINT "check_files_pkey" PRIMARY KEY ("checkId","fileId")
);

-- CreateTable
CREATE TABLE "check_runs" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "apiKeyId" UUID,
    "accessEpoch" INTEGER NOT NULL,
    "freezes" INTEGER NOT NULL,
    "mode" TEXT NOT NULL,
    "configurationIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "stoppedBy" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "check_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "check_results" (
    "id" UUID NOT NULL,
    "checkRunId" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "checkId" UUID NOT NULL,
    "checkVersion" INTEGER NOT NULL,
    "checkName" TEXT NOT NULL,
    "configurationId" UUID NOT NULL,
    "configurationName" TEXT NOT NULL,
    "configurationVersion" INTEGER,
    "try" INTEGER NOT NULL,
    "passes" INTEGER NOT NULL,
    "runId" UUID,
    "verdict" TEXT,
    "reason" TEXT NOT NULL DEFAULT '',
    "assertions" TEXT NOT NULL,
    "judged" TEXT,
    "costMicroUsd" BIGINT,
    "durationMs" INTEGER,

    CONSTRAINT "check_results_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "checks_configurationId_idx" ON "checks"("configurationId");

-- CreateIndex
CREATE INDEX "checks_taskId_idx" ON "checks"("taskId");

-- CreateIndex
CREATE UNIQUE INDEX "checks_createdById_name_key" ON "checks"("createdById", "name");

-- CreateIndex
CREATE INDEX "check_groups_groupId_idx" ON "check_groups"("groupId");

-- CreateIndex
CREATE INDEX "check_files_fileId_idx" ON "check_files"("fileId");

-- CreateIndex
CREATE INDEX "check_runs_userId_createdAt_idx" ON "check_runs"("userId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "check_runs_endedAt_idx" ON "check_runs"("endedAt");

-- CreateIndex
CREATE INDEX "check_results_checkId_idx" ON "check_results"("checkId");

-- CreateIndex
CREATE UNIQUE INDEX "check_results_checkRunId_checkId_configurationId_try_key" ON "check_results"("checkRunId", "checkId", "configurationId", "try");

-- CreateIndex
CREATE UNIQUE INDEX "check_results_runId_key" ON "check_results"("runId");

-- AddForeignKey
ALTER TABLE "checks" ADD CONSTRAINT "checks_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checks" ADD CONSTRAINT "checks_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "tasks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checks" ADD CONSTRAINT "checks_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_groups" ADD CONSTRAINT "check_groups_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "checks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_groups" ADD CONSTRAINT "check_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_files" ADD CONSTRAINT "check_files_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "checks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_files" ADD CONSTRAINT "check_files_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_runs" ADD CONSTRAINT "check_runs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_results" ADD CONSTRAINT "check_results_checkRunId_fkey" FOREIGN KEY ("checkRunId") REFERENCES "check_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_results" ADD CONSTRAINT "check_results_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "checks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
