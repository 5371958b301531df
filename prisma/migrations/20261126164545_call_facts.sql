-- AlterTable
ALTER TABLE "call_records" ADD COLUMN     "gate" TEXT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "callFacts" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "runs_endReason_idx" ON "runs"("endReason");

-- CreateIndex
CREATE INDEX "runs_callFacts_idx" ON "runs" USING GIN ("callFacts");

-- Facts about the calls of a run, which lists filter by: the tool, how it ended, and the gate that refused it, of one call
-- together. `lib/protocol/call-facts.ts` asks for them by the same words. Names of tools come from models, so they are cut.
CREATE FUNCTION call_facts(tool text, outcome text, gate text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['tool:' || left(tool, 200), ended, ended || ' tool:' || left(tool, 200)]
    || CASE WHEN gate IS NULL THEN '{}' ELSE ARRAY['gate:' || gate, 'gate:' || gate || ' tool:' || left(tool, 200)] END
  FROM (SELECT 'outcome:' || CASE outcome WHEN 'ok' THEN 'done' WHEN 'invalid-arguments' THEN 'failed' ELSE outcome END) o(ended)
$$;

-- Writes the facts in the transaction that writes the records of the calls. Most calls add no new fact, and change nothing.
CREATE FUNCTION note_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs r SET "callFacts" = ARRAY(SELECT DISTINCT f FROM unnest(r."callFacts" || n.facts) f ORDER BY f)
  FROM (
    SELECT c."runId", array_agg(DISTINCT f) AS facts
    FROM ended c CROSS JOIN LATERAL unnest(call_facts(c."toolName", c.outcome, c.gate)) f GROUP BY c."runId") n
  WHERE r.id = n."runId" AND NOT r."callFacts" @> n.facts;
  RETURN NULL;
END
$$;
CREATE TRIGGER calls_noted AFTER INSERT ON call_records
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION note_calls();

-- The calls of the past. Their sums stay as they are, so their runs stay in the roll-ups.
ALTER TABLE call_records DISABLE TRIGGER taken_out;
UPDATE call_records c SET gate = e.data->'outcome'->>'gate'
FROM run_events e
WHERE c.outcome = 'denied' AND e."runId" = c."runId" AND e.type = 'call-end' AND e.data->>'callId' = c."callId";
ALTER TABLE call_records ENABLE TRIGGER taken_out;
UPDATE runs r SET "callFacts" = n.facts
FROM (
  SELECT c."runId", array_agg(DISTINCT f ORDER BY f) AS facts
  FROM call_records c CROSS JOIN LATERAL unnest(call_facts(c."toolName", c.outcome, c.gate)) f GROUP BY c."runId") n
WHERE r.id = n."runId";
