-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "authors" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "consentAt" TIMESTAMP(3),
ADD COLUMN     "consentGiven" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "consentHash" TEXT,
ADD COLUMN     "consentTools" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "createdById" UUID;

-- AlterTable
ALTER TABLE "task_versions" ADD COLUMN     "authors" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "authors" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "createdById" UUID;

-- The audit says who created and who changed last; the labels of versions say it where the audit does not.
CREATE TEMPORARY TABLE label_ids ON COMMIT DROP AS
  SELECT l.label, u.id FROM (
    SELECT "createdByLabel" AS label FROM schedules UNION SELECT "createdByLabel" FROM task_versions) l
  JOIN users u ON u.email = split_part(l.label, ' (in a terminal as ', 1);

UPDATE schedules s SET "createdById" = coalesce(
  (SELECT a."actorId" FROM audit_entries a JOIN users u ON u.id = a."actorId"
    WHERE a."objectType" = 'schedule' AND a."objectId" = s.id::text AND a.action = 'schedule.create'
      AND a."refusalKey" IS NULL ORDER BY a.at LIMIT 1),
  (SELECT l.id FROM label_ids l WHERE l.label = s."createdByLabel"));

UPDATE schedules s SET authors = array_remove(ARRAY[coalesce(
  (SELECT a."actorId" FROM audit_entries a JOIN users u ON u.id = a."actorId"
    WHERE a."objectType" = 'schedule' AND a."objectId" = s.id::text
      AND a.action IN ('schedule.update', 'schedule.switch-on') AND a."refusalKey" IS NULL
    ORDER BY a.at DESC LIMIT 1),
  s."createdById")], NULL);

UPDATE task_versions v SET authors = ARRAY[l.id] FROM label_ids l WHERE l.label = v."createdByLabel";

UPDATE tasks t SET
  "createdById" = (SELECT v.authors[1] FROM task_versions v WHERE v."taskId" = t.id AND v.version = 1),
  authors = ARRAY(SELECT DISTINCT unnest(v.authors) FROM task_versions v
    WHERE v."taskId" = t.id AND v.data->>'prompt' = t.prompt);

-- Whoever made a schedule of their own with a task of somebody else agreed to that task as it is.
UPDATE schedules s SET "consentHash" = 'task ' || t.id || ' ' || t.version, "consentGiven" = true,
  "consentAt" = now() AT TIME ZONE 'UTC'
FROM tasks t WHERE t.id = s."taskId" AND s."createdById" = s."userId" AND s.authors = ARRAY[s."userId"];

-- Runs of schedules that go on keep who wrote them.
UPDATE run_events e SET data = jsonb_set(e.data, '{snapshot,starters}', to_jsonb(
  ARRAY(SELECT DISTINCT a FROM unnest(s.authors || s."createdById") a WHERE a IS NOT NULL)))
FROM runs r JOIN scheduled_starts st ON st."runId" = r.id JOIN schedules s ON s.id = st."scheduleId"
WHERE e."runId" = r.id AND e.seq = 1 AND r.status <> 'ended';
