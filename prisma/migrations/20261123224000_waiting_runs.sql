-- A run that may go on has a place of the site, of its person and of its configuration: a number up to the limit. That two runs
-- cannot have the same one keeps the limits, also between servers. A run that must wait says for what.
ALTER TABLE "runs"
  ADD COLUMN "waitsFor" TEXT,
  ADD COLUMN "priority" SMALLINT NOT NULL DEFAULT 1,
  ADD COLUMN "sitePlace" INTEGER,
  ADD COLUMN "personPlace" INTEGER,
  ADD COLUMN "configurationPlace" INTEGER;

UPDATE "runs" SET "sitePlace" = places."site", "personPlace" = places."person", "configurationPlace" = places."configuration"
FROM (
  SELECT "id", row_number() OVER (ORDER BY "createdAt", "id") AS "site",
    row_number() OVER (PARTITION BY "userId" ORDER BY "createdAt", "id") AS "person",
    row_number() OVER (PARTITION BY "configurationId" ORDER BY "createdAt", "id") AS "configuration"
  FROM "runs" WHERE "status" IN ('queued', 'running', 'waiting')) AS places
WHERE "runs"."id" = places."id";

CREATE UNIQUE INDEX "runs_site_place" ON "runs"("sitePlace") WHERE "sitePlace" IS NOT NULL;
CREATE UNIQUE INDEX "runs_person_place" ON "runs"("userId", "personPlace") WHERE "personPlace" IS NOT NULL;
CREATE UNIQUE INDEX "runs_configuration_place" ON "runs"("configurationId", "configurationPlace")
  WHERE "configurationPlace" IS NOT NULL;
CREATE INDEX "runs_waiting_reason" ON "runs"("waitsFor", "configurationId") WHERE "waitsFor" IS NOT NULL;
CREATE INDEX "runs_waiting_lane" ON "runs"("userId", "configurationId", "priority", "createdAt") WHERE "waitsFor" IS NOT NULL;
CREATE INDEX "runs_waiting_order" ON "runs"("priority", "createdAt") WHERE "waitsFor" IS NOT NULL;
