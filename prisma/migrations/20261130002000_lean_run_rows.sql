-- A run writes less while it works. Each change of an indexed column writes an entry into every index of `runs`, so indexes
-- leave out what most runs do not have, and what only lists ask for is written once, at the end or when the run is rolled up.

DROP INDEX "runs_tags_idx";
DROP INDEX "runs_callFacts_idx";
DROP INDEX "runs_conversationId_idx";
DROP INDEX "runs_panelId_panelPlace_key";
DROP INDEX "runs_changedFrom_idx";
DROP INDEX "runs_parentRunId_idx";
DROP INDEX "runs_apiKeyId_idx";
DROP INDEX "runs_endReason_idx";
DROP INDEX "runs_userId_taskId_createdAt_idx";
CREATE INDEX "runs_tags_idx" ON "runs" USING GIN ("tags") WHERE tags <> '{}';
CREATE INDEX "runs_callFacts_idx" ON "runs" USING GIN ("callFacts") WHERE "callsRolledUp";
CREATE INDEX "runs_conversationId_idx" ON "runs"("conversationId") WHERE "conversationId" IS NOT NULL;
CREATE UNIQUE INDEX "runs_panelId_panelPlace_key" ON "runs"("panelId", "panelPlace") WHERE "panelId" IS NOT NULL;
CREATE INDEX "runs_changedFrom_idx" ON "runs"("changedFrom") WHERE "changedFrom" IS NOT NULL;
CREATE INDEX "runs_parentRunId_idx" ON "runs"("parentRunId") WHERE "parentRunId" IS NOT NULL;
CREATE INDEX "runs_apiKeyId_idx" ON "runs"("apiKeyId") WHERE "apiKeyId" IS NOT NULL;
CREATE INDEX "runs_endReason_idx" ON "runs"("endReason") WHERE "endReason" IS NOT NULL;
CREATE INDEX "runs_userId_taskId_createdAt_idx" ON "runs"("userId", "taskId", "createdAt" DESC) WHERE "taskId" IS NOT NULL;

-- The facts about the calls of a run are written with its end. Until then it has those of calls that failed, were denied or
-- timed out, because they make it a failure at once.
CREATE OR REPLACE FUNCTION note_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs r SET "callFacts" = ARRAY(SELECT DISTINCT f FROM unnest(r."callFacts" || n.facts) f ORDER BY f)
  FROM (
    SELECT c."runId", array_agg(DISTINCT f) AS facts
    FROM ended c CROSS JOIN LATERAL unnest(call_facts(c."toolName", c.outcome, c.gate)) f GROUP BY c."runId") n
  WHERE r.id = n."runId" AND NOT r."callFacts" @> n.facts
    AND (r.status = 'ended' OR n.facts && ARRAY['outcome:failed', 'outcome:denied', 'outcome:timed-out']);
  RETURN NULL;
END
$$;

CREATE FUNCTION note_calls_of_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."callFacts" := ARRAY(
    SELECT unnest(NEW."callFacts") UNION
    SELECT f FROM call_records c CROSS JOIN LATERAL unnest(call_facts(c."toolName", c.outcome, c.gate)) f
    WHERE c."runId" = NEW.id
    ORDER BY 1);
  RETURN NEW;
END
$$;
-- By its name it comes before `failed_marked_again`, which reads the facts.
CREATE TRIGGER calls_noted_at_end BEFORE UPDATE OF status ON runs
  FOR EACH ROW WHEN (NEW.status = 'ended' AND OLD.status <> 'ended') EXECUTE FUNCTION note_calls_of_ended();

-- Each write of a journal names these columns, and nearly none changes them.
DROP TRIGGER failed_marked ON runs;
CREATE TRIGGER failed_marked BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION mark_failed();
CREATE TRIGGER failed_marked_again BEFORE UPDATE OF "endReason", "notStarted", "callFacts" ON runs FOR EACH ROW
  WHEN ((OLD."endReason", OLD."notStarted", OLD."callFacts") IS DISTINCT FROM (NEW."endReason", NEW."notStarted", NEW."callFacts"))
  EXECUTE FUNCTION mark_failed();
