-- How often the site was frozen, and the details of the last time. A run that began under a lower number ends, also when the
-- freeze was lifted before any process looked.
ALTER TABLE "policy_version" ADD COLUMN "freezes" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "lastFreeze" JSONB;
ALTER TABLE "runs" ADD COLUMN "freezes" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "panels" ADD COLUMN "freezes" INTEGER NOT NULL DEFAULT 0;
