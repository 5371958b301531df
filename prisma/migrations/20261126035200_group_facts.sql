-- Who added a group, as the audit says, and when it was last changed.
ALTER TABLE "groups" ADD COLUMN "createdByLabel" TEXT NOT NULL DEFAULT '',
ADD COLUMN "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

UPDATE groups SET "updatedAt" = coalesce(
  (SELECT max(at) FROM audit_entries
    WHERE action = 'group.update' AND "objectId" = groups.id::text), "createdAt");
UPDATE groups SET "createdByLabel" = "actorLabel" FROM audit_entries
  WHERE action = 'group.create' AND "objectId" = groups.id::text;
