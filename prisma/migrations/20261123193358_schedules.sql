-- CreateTable
CREATE TABLE "schedules" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL,
    "configurationId" UUID,
    "prompt" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "missed" TEXT NOT NULL DEFAULT 'skip',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scheduled_starts" (
    "scheduleId" UUID NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "runId" UUID,
    "refusal" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "scheduled_starts_pkey" PRIMARY KEY ("scheduleId","at")
);

-- CreateIndex
CREATE UNIQUE INDEX "schedules_name_key" ON "schedules"("name");

-- CreateIndex
CREATE INDEX "schedules_configurationId_idx" ON "schedules"("configurationId");

-- CreateIndex
CREATE INDEX "schedules_userId_idx" ON "schedules"("userId");

-- CreateIndex
CREATE INDEX "scheduled_starts_runId_idx" ON "scheduled_starts"("runId");

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scheduled_starts" ADD CONSTRAINT "scheduled_starts_scheduleId_fkey" FOREIGN KEY ("scheduleId") REFERENCES "schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scheduled_starts" ADD CONSTRAINT "scheduled_starts_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Servers have DBOS fire what this table says, so they hear of every change.
CREATE FUNCTION notify_schedules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('toolgate_schedules', '');
  RETURN NULL;
END
$$;
CREATE TRIGGER schedules_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON schedules
  FOR EACH STATEMENT EXECUTE FUNCTION notify_schedules();
