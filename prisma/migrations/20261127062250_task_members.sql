-- CreateTable
CREATE TABLE "task_members" (
    "taskId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,

    CONSTRAINT "task_members_pkey" PRIMARY KEY ("taskId","configurationId")
);

-- CreateIndex
CREATE INDEX "task_members_configurationId_idx" ON "task_members"("configurationId");

-- AddForeignKey
ALTER TABLE "task_members" ADD CONSTRAINT "task_members_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_members" ADD CONSTRAINT "task_members_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
