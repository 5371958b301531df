-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "realFolder" TEXT NOT NULL,
    "writable" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_groups" (
    "workspaceId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "workspace_groups_pkey" PRIMARY KEY ("workspaceId","groupId")
);

-- CreateTable
CREATE TABLE "file_versions" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "before" TEXT,
    "beforeBytes" INTEGER NOT NULL,
    "beforeHash" TEXT,
    "afterHash" TEXT,
    "runId" UUID NOT NULL,
    "callId" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "userLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undoneAt" TIMESTAMP(3),
    "undoneByLabel" TEXT,

    CONSTRAINT "file_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_name_key" ON "workspaces"("name");

-- CreateIndex
CREATE INDEX "workspace_groups_groupId_idx" ON "workspace_groups"("groupId");

-- CreateIndex
CREATE INDEX "file_versions_workspaceId_createdAt_idx" ON "file_versions"("workspaceId", "createdAt");

-- CreateIndex
CREATE INDEX "file_versions_runId_callId_idx" ON "file_versions"("runId", "callId");

-- CreateIndex
CREATE INDEX "file_versions_createdAt_idx" ON "file_versions"("createdAt");

-- AddForeignKey
ALTER TABLE "workspace_groups" ADD CONSTRAINT "workspace_groups_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_groups" ADD CONSTRAINT "workspace_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_versions" ADD CONSTRAINT "file_versions_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
