-- Roll-ups of calls know the key of the run, as those of usage do: the rows of `all` have it beside the other ids.

-- Rolled up runs of keys are taken out, and come back in the background with their keys. Until then, their records are read.
-- Only reads go on meanwhile, so that nobody holds a run for whose roll-up this would wait.
LOCK TABLE runs, call_rollups, call_spans IN EXCLUSIVE MODE;
DO $$
DECLARE
  last uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    SELECT array_agg(id ORDER BY id) INTO ids FROM (
      SELECT id FROM runs WHERE "apiKeyId" IS NOT NULL AND "callsRolledUp" AND id > last ORDER BY id LIMIT 5000) some_runs;
    EXIT WHEN ids IS NULL;
    PERFORM roll_up_calls(ids, -1);
    UPDATE runs SET "callsRolledUp" = false WHERE id = ANY(ids);
    last := ids[cardinality(ids)];
  END LOOP;
END
$$;

-- AlterTable
ALTER TABLE "call_rollups" DROP CONSTRAINT "call_rollups_pkey",
ADD COLUMN     "apiKeyId" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
ADD CONSTRAINT "call_rollups_pkey" PRIMARY KEY ("split", "grain", "toolName", "start", "userId", "configurationId", "apiKeyId");
ALTER TABLE "call_rollups" ALTER COLUMN "apiKeyId" DROP DEFAULT;

-- AlterTable
ALTER TABLE "call_spans" DROP CONSTRAINT "call_spans_pkey",
ADD COLUMN     "apiKeyId" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
ADD CONSTRAINT "call_spans_pkey" PRIMARY KEY ("split", "start", "runId", "toolName", "configurationId", "userId", "apiKeyId");
ALTER TABLE "call_spans" ALTER COLUMN "apiKeyId" DROP DEFAULT;

-- As before, with the key of the run: all records of a run have the same.
CREATE OR REPLACE FUNCTION roll_up_calls(run_ids uuid[], way int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  WITH records AS MATERIALIZED (
    SELECT s.split, c."runId", date_trunc('day', c.at) AS day, c."toolName",
      CASE s.split WHEN 'all' THEN c."userId" ELSE none END AS "userId",
      CASE s.split WHEN 'all' THEN coalesce(c."configurationId", none) ELSE none END AS configuration,
      CASE s.split WHEN 'all' THEN coalesce(n."apiKeyId", none) ELSE none END AS key, c.outcome,
      CASE WHEN c.outcome IN ('ok', 'failed', 'timed-out')
        THEN round(c."durationMs"::numeric, least(0, 2 - length(c."durationMs"::text)))::int END AS latency
    FROM call_records c JOIN runs n ON n.id = c."runId" CROSS JOIN (VALUES ('all'), ('none')) s(split)
    WHERE c."runId" = ANY(run_ids)),
  whole AS (
    SELECT split, "runId", "toolName" FROM records GROUP BY 1, 2, 3
    HAVING count(DISTINCT (day, "userId", configuration, key)) = 1),
  grained AS MATERIALIZED (
    SELECT g.grain, date_trunc(g.grain, r.day) AS start, r.*, w."runId" AS "wholeRun"
    FROM records r LEFT JOIN whole w ON w.split = r.split AND w."runId" = r."runId" AND w."toolName" = r."toolName"
    CROSS JOIN (VALUES ('day'), ('month')) g(grain)),
  latencies AS (
    SELECT split, grain, "toolName", start, "userId", configuration, key,
      array_agg(latency) AS latencies, array_agg(way * times) AS counts
    FROM (
      SELECT split, grain, "toolName", start, "userId", configuration, key, latency, count(*)::int AS times
      FROM grained WHERE latency IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) each_latency
    GROUP BY 1, 2, 3, 4, 5, 6, 7),
  sums AS (
    SELECT split, grain, "toolName", start, "userId", configuration, key, count(*) AS calls,
      count(DISTINCT "wholeRun") AS runs,
      count(*) FILTER (WHERE outcome = 'ok') AS ok,
      count(*) FILTER (WHERE outcome IN ('failed', 'timed-out', 'unknown')) AS failed,
      count(*) FILTER (WHERE outcome = 'denied') AS denied,
      count(*) FILTER (WHERE outcome = 'invalid-arguments') AS invalid
    FROM grained GROUP BY 1, 2, 3, 4, 5, 6, 7)
  INSERT INTO call_rollups AS t (split, grain, "toolName", start, "userId", "configurationId", "apiKeyId", calls, runs, ok,
    failed, denied, invalid, latencies, "latencyCounts")
  SELECT s.split, s.grain, s."toolName", s.start, s."userId", s.configuration, s.key, way * s.calls, way * s.runs, way * s.ok,
    way * s.failed, way * s.denied, way * s.invalid, coalesce(l.latencies, '{}'), coalesce(l.counts, '{}')
  FROM sums s LEFT JOIN latencies l USING (split, grain, "toolName", start, "userId", configuration, key)
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (split, grain, "toolName", start, "userId", "configurationId", "apiKeyId") DO UPDATE SET
    calls = t.calls + excluded.calls,
    runs = t.runs + excluded.runs,
    ok = t.ok + excluded.ok,
    failed = t.failed + excluded.failed,
    denied = t.denied + excluded.denied,
    invalid = t.invalid + excluded.invalid,
    (latencies, "latencyCounts") = (
      SELECT coalesce(array_agg(ms ORDER BY ms), '{}'), coalesce(array_agg(times ORDER BY ms), '{}')
      FROM (
        SELECT ms, sum(times)::int AS times FROM (
          SELECT * FROM unnest(t.latencies, t."latencyCounts")
          UNION ALL SELECT * FROM unnest(excluded.latencies, excluded."latencyCounts")) both_rows(ms, times)
        GROUP BY ms HAVING sum(times) <> 0) merged);

  DELETE FROM call_spans WHERE "runId" = ANY(run_ids);
  IF way = 1 THEN
    WITH places AS MATERIALIZED (
      SELECT DISTINCT s.split, date_trunc('day', c.at) AS day, c."runId", c."toolName",
        CASE s.split WHEN 'all' THEN c."userId" ELSE none END AS "userId",
        CASE s.split WHEN 'all' THEN coalesce(c."configurationId", none) ELSE none END AS configuration,
        CASE s.split WHEN 'all' THEN coalesce(n."apiKeyId", none) ELSE none END AS key
      FROM call_records c JOIN runs n ON n.id = c."runId" CROSS JOIN (VALUES ('all'), ('none')) s(split)
    WHERE c."runId" = ANY(run_ids)),
    several AS (SELECT split, "runId", "toolName" FROM places GROUP BY 1, 2, 3 HAVING count(*) > 1)
    INSERT INTO call_spans (split, start, "runId", "toolName", "userId", "configurationId", "apiKeyId")
    SELECT split, day, "runId", "toolName", "userId", configuration, key FROM places JOIN several USING (split, "runId", "toolName");
  END IF;
END
$$;

-- A run that loses its key is taken out with the key that it had. By its name this comes after `taken_out_of_key`, so that
-- roll-ups of usage are always written before those of calls.
CREATE FUNCTION take_run_of_key_out_of_call_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_calls(ARRAY[OLD.id], -1);
  NEW."callsRolledUp" := false;
  RETURN NEW;
END
$$;
CREATE TRIGGER taken_out_of_key_calls BEFORE UPDATE OF "apiKeyId" ON runs
  FOR EACH ROW WHEN (OLD."callsRolledUp" AND OLD."apiKeyId" IS DISTINCT FROM NEW."apiKeyId")
  EXECUTE FUNCTION take_run_of_key_out_of_call_rollups();
