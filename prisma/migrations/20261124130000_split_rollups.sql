-- Roll-ups get rows for each split: what pages ask for most adds up few rows then. `all` has the rows as they were, told
-- apart by every column; `none` has one row for each day and month (of a tool), and each other split one for each id.

-- AlterTable
ALTER TABLE "usage_rollups" DROP CONSTRAINT "usage_rollups_pkey",
ADD COLUMN     "split" TEXT NOT NULL DEFAULT 'all',
ADD CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("split", "grain", "start", "userId", "configurationId", "connectionId", "modelRecordId", "modelId");
ALTER TABLE "usage_rollups" ALTER COLUMN "split" DROP DEFAULT;

-- AlterTable
ALTER TABLE "usage_spans" DROP CONSTRAINT "usage_spans_pkey",
ADD COLUMN     "split" TEXT NOT NULL DEFAULT 'all',
ADD CONSTRAINT "usage_spans_pkey" PRIMARY KEY ("split", "start", "runId", "connectionId", "modelRecordId", "modelId", "configurationId", "userId");
ALTER TABLE "usage_spans" ALTER COLUMN "split" DROP DEFAULT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "callsRolledUp" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "call_rollups" (
    "split" TEXT NOT NULL,
    "grain" TEXT NOT NULL,
    "toolName" TEXT NOT NULL,
    "start" TIMESTAMP(3) NOT NULL,
    "userId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,
    "calls" BIGINT NOT NULL,
    "runs" BIGINT NOT NULL,
    "ok" BIGINT NOT NULL,
    "failed" BIGINT NOT NULL,
    "denied" BIGINT NOT NULL,
    "invalid" BIGINT NOT NULL,
    "latencies" INTEGER[],
    "latencyCounts" INTEGER[],

    CONSTRAINT "call_rollups_pkey" PRIMARY KEY ("split","grain","toolName","start","userId","configurationId")
);

-- CreateTable
CREATE TABLE "call_spans" (
    "split" TEXT NOT NULL,
    "start" TIMESTAMP(3) NOT NULL,
    "runId" UUID NOT NULL,
    "toolName" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,

    CONSTRAINT "call_spans_pkey" PRIMARY KEY ("split","start","runId","toolName","configurationId","userId")
);

-- CreateIndex
CREATE INDEX "call_rollups_split_grain_start_idx" ON "call_rollups"("split", "grain", "start");

-- CreateIndex
CREATE INDEX "call_spans_runId_idx" ON "call_spans"("runId");

-- The runs that ended before there were roll-ups of calls, until the background has added them; then few.
CREATE INDEX "runs_calls_not_rolled_up_idx" ON "runs"("id") WHERE NOT "callsRolledUp";

-- The splits of usage, and which columns the rows of each have. The others are zeros, or no text.
CREATE VIEW usage_splits AS SELECT * FROM (VALUES
  ('all', true, true, true, true), ('none', false, false, false, false), ('user', true, false, false, false),
  ('configuration', false, true, false, false), ('connection', false, false, true, false),
  ('model', false, false, true, true)) s(split, of_user, of_configuration, of_connection, of_model);

-- Adds the usage records of these runs to the roll-ups (way 1), or takes them out again (way -1). The caller has locked
-- the runs, and notes in "rolledUp" what happened. Rows are written in one order, so that two callers never wait for
-- each other. The records are added up by every column first, and these sums for each split.
CREATE OR REPLACE FUNCTION roll_up_usage(run_ids uuid[], way int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  -- Records of one part have the same ids and the same day.
  WITH records AS MATERIALIZED (
    SELECT dense_rank() OVER (ORDER BY day, "userId", configuration, connection, model, "modelId") AS part, r.*
    FROM (
      SELECT u."runId", date_trunc('day', u.at) AS day, u."userId", coalesce(u."configurationId", none) AS configuration,
        coalesce(u."connectionId", none) AS connection, coalesce(u."modelRecordId", none) AS model, u."modelId",
        u."inputTokens", u."outputTokens", u."cachedInputTokens", u."costMicroUsd", u."costAtMost",
        u."reportedCostMicroUsd", u.estimated, u.retries, u.retried, u.fallback, u."errorCategory",
        CASE WHEN u."errorCategory" IS NULL
          THEN round(u."latencyMs"::numeric, least(0, 2 - length(u."latencyMs"::text)))::int END AS latency
      FROM usage_records u WHERE u."runId" = ANY(run_ids)) r),
  parts AS MATERIALIZED (
    SELECT part, day, "userId", configuration, connection, model, "modelId", count(*) AS requests,
      sum("inputTokens") AS input, sum("outputTokens") AS output, sum("cachedInputTokens") AS cached,
      coalesce(sum("costMicroUsd"), 0) AS cost, count(*) FILTER (WHERE "costMicroUsd" IS NULL) AS unpriced,
      count(*) FILTER (WHERE "costAtMost") AS at_most, count("reportedCostMicroUsd") AS reported,
      coalesce(sum("reportedCostMicroUsd"), 0) AS reported_cost,
      coalesce(sum("costMicroUsd") FILTER (WHERE "reportedCostMicroUsd" IS NOT NULL), 0) AS counted_cost,
      count(*) FILTER (WHERE estimated) AS estimated, sum(retries) AS retries,
      count(*) FILTER (WHERE retried) AS retried,
      count(*) FILTER (WHERE "errorCategory" IS NOT NULL AND NOT retried) AS errors,
      count(*) FILTER (WHERE fallback AND "errorCategory" IS NULL) AS rescues
    FROM records GROUP BY 1, 2, 3, 4, 5, 6, 7),
  -- Each part with the row that it belongs to, of each split and grain.
  places AS MATERIALIZED (
    SELECT p.part, s.split, g.grain, date_trunc(g.grain, p.day) AS start, p.day,
      CASE WHEN s.of_user THEN p."userId" ELSE none END AS "userId",
      CASE WHEN s.of_configuration THEN p.configuration ELSE none END AS configuration,
      CASE WHEN s.of_connection THEN p.connection ELSE none END AS connection,
      CASE WHEN s.of_model THEN p.model ELSE none END AS model,
      CASE WHEN s.of_model THEN p."modelId" ELSE '' END AS "modelId"
    FROM parts p CROSS JOIN usage_splits s CROSS JOIN (VALUES ('day'), ('month')) g(grain)),
  part_latencies AS (
    SELECT part, latency, count(*)::int AS times FROM records WHERE latency IS NOT NULL GROUP BY 1, 2),
  latencies AS (
    SELECT split, grain, start, "userId", configuration, connection, model, "modelId",
      array_agg(latency) AS latencies, array_agg(way * times) AS counts
    FROM (
      SELECT split, grain, start, "userId", configuration, connection, model, "modelId", latency, sum(times)::int AS times
      FROM places JOIN part_latencies USING (part) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) each_latency
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
  run_parts AS (SELECT DISTINCT "runId", part FROM records),
  -- The runs whose records are all in one row of days of a split.
  whole AS MATERIALIZED (
    SELECT split, "runId", min(part) AS part
    FROM run_parts JOIN places USING (part) WHERE grain = 'day' GROUP BY 1, 2
    HAVING count(DISTINCT (day, "userId", configuration, connection, model, "modelId")) = 1),
  runs AS (SELECT split, part, count(*) AS runs FROM whole GROUP BY 1, 2),
  sums AS (
    SELECT l.split, grain, start, l."userId", l.configuration, l.connection, l.model, l."modelId",
      sum(requests) AS requests, coalesce(sum(r.runs), 0) AS runs, sum(input) AS input, sum(output) AS output,
      sum(cached) AS cached, sum(cost) AS cost, sum(unpriced) AS unpriced, sum(at_most) AS at_most,
      sum(reported) AS reported, sum(reported_cost) AS reported_cost, sum(counted_cost) AS counted_cost,
      sum(estimated) AS estimated, sum(retries) AS retries, sum(retried) AS retried, sum(errors) AS errors,
      sum(rescues) AS rescues
    FROM places l JOIN parts p USING (part) LEFT JOIN runs r ON r.split = l.split AND r.part = l.part
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8)
  INSERT INTO usage_rollups AS t (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId",
    "modelId", requests, runs, "inputTokens", "outputTokens", "cachedInputTokens", "costMicroUsd", unpriced, "atMost",
    reported, "reportedMicroUsd", "countedMicroUsd", estimated, retries, retried, errors, rescues, latencies,
    "latencyCounts")
  SELECT s.split, s.grain, s.start, s."userId", s.configuration, s.connection, s.model, s."modelId",
    way * s.requests, way * s.runs, way * s.input, way * s.output, way * s.cached, way * s.cost, way * s.unpriced,
    way * s.at_most, way * s.reported, way * s.reported_cost, way * s.counted_cost, way * s.estimated, way * s.retries,
    way * s.retried, way * s.errors, way * s.rescues, coalesce(l.latencies, '{}'), coalesce(l.counts, '{}')
  FROM sums s LEFT JOIN latencies l USING (split, grain, start, "userId", configuration, connection, model, "modelId")
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId")
  DO UPDATE SET
    requests = t.requests + excluded.requests,
    runs = t.runs + excluded.runs,
    "inputTokens" = t."inputTokens" + excluded."inputTokens",
    "outputTokens" = t."outputTokens" + excluded."outputTokens",
    "cachedInputTokens" = t."cachedInputTokens" + excluded."cachedInputTokens",
    "costMicroUsd" = t."costMicroUsd" + excluded."costMicroUsd",
    unpriced = t.unpriced + excluded.unpriced,
    "atMost" = t."atMost" + excluded."atMost",
    reported = t.reported + excluded.reported,
    "reportedMicroUsd" = t."reportedMicroUsd" + excluded."reportedMicroUsd",
    "countedMicroUsd" = t."countedMicroUsd" + excluded."countedMicroUsd",
    estimated = t.estimated + excluded.estimated,
    retries = t.retries + excluded.retries,
    retried = t.retried + excluded.retried,
    errors = t.errors + excluded.errors,
    rescues = t.rescues + excluded.rescues,
    (latencies, "latencyCounts") = (
      SELECT coalesce(array_agg(ms ORDER BY ms), '{}'), coalesce(array_agg(times ORDER BY ms), '{}')
      FROM (
        SELECT ms, sum(times)::int AS times FROM (
          SELECT * FROM unnest(t.latencies, t."latencyCounts")
          UNION ALL SELECT * FROM unnest(excluded.latencies, excluded."latencyCounts")) both_rows(ms, times)
        GROUP BY ms HAVING sum(times) <> 0) merged);

  DELETE FROM usage_spans WHERE "runId" = ANY(run_ids);
  IF way = 1 THEN
    WITH places AS MATERIALIZED (
      SELECT DISTINCT s.split, date_trunc('day', u.at) AS day, u."runId",
        CASE WHEN s.of_user THEN u."userId" ELSE none END AS "userId",
        CASE WHEN s.of_configuration THEN coalesce(u."configurationId", none) ELSE none END AS configuration,
        CASE WHEN s.of_connection THEN coalesce(u."connectionId", none) ELSE none END AS connection,
        CASE WHEN s.of_model THEN coalesce(u."modelRecordId", none) ELSE none END AS model,
        CASE WHEN s.of_model THEN u."modelId" ELSE '' END AS "modelId"
      FROM usage_records u CROSS JOIN usage_splits s WHERE u."runId" = ANY(run_ids)),
    several AS (SELECT split, "runId" FROM places GROUP BY 1, 2 HAVING count(*) > 1)
    INSERT INTO usage_spans (split, start, "runId", "userId", "configurationId", "connectionId", "modelRecordId", "modelId")
    SELECT split, day, "runId", "userId", configuration, connection, model, "modelId"
    FROM places JOIN several USING (split, "runId");
  END IF;
END
$$;

-- Adds the call records of these runs to the roll-ups (way 1), or takes them out again (way -1), as roll_up_usage does
-- with usage. The caller has locked the runs, and notes in "callsRolledUp" what happened.
CREATE FUNCTION roll_up_calls(run_ids uuid[], way int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  WITH records AS MATERIALIZED (
    SELECT s.split, c."runId", date_trunc('day', c.at) AS day, c."toolName",
      CASE s.split WHEN 'all' THEN c."userId" ELSE none END AS "userId",
      CASE s.split WHEN 'all' THEN coalesce(c."configurationId", none) ELSE none END AS configuration, c.outcome,
      CASE WHEN c.outcome IN ('ok', 'failed', 'timed-out')
        THEN round(c."durationMs"::numeric, least(0, 2 - length(c."durationMs"::text)))::int END AS latency
    FROM call_records c CROSS JOIN (VALUES ('all'), ('none')) s(split) WHERE c."runId" = ANY(run_ids)),
  whole AS (
    SELECT split, "runId", "toolName" FROM records GROUP BY 1, 2, 3
    HAVING count(DISTINCT (day, "userId", configuration)) = 1),
  grained AS MATERIALIZED (
    SELECT g.grain, date_trunc(g.grain, r.day) AS start, r.*, w."runId" AS "wholeRun"
    FROM records r LEFT JOIN whole w ON w.split = r.split AND w."runId" = r."runId" AND w."toolName" = r."toolName"
    CROSS JOIN (VALUES ('day'), ('month')) g(grain)),
  latencies AS (
    SELECT split, grain, "toolName", start, "userId", configuration,
      array_agg(latency) AS latencies, array_agg(way * times) AS counts
    FROM (
      SELECT split, grain, "toolName", start, "userId", configuration, latency, count(*)::int AS times
      FROM grained WHERE latency IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7) each_latency
    GROUP BY 1, 2, 3, 4, 5, 6),
  sums AS (
    SELECT split, grain, "toolName", start, "userId", configuration, count(*) AS calls,
      count(DISTINCT "wholeRun") AS runs,
      count(*) FILTER (WHERE outcome = 'ok') AS ok,
      count(*) FILTER (WHERE outcome IN ('failed', 'timed-out', 'unknown')) AS failed,
      count(*) FILTER (WHERE outcome = 'denied') AS denied,
      count(*) FILTER (WHERE outcome = 'invalid-arguments') AS invalid
    FROM grained GROUP BY 1, 2, 3, 4, 5, 6)
  INSERT INTO call_rollups AS t (split, grain, "toolName", start, "userId", "configurationId", calls, runs, ok, failed,
    denied, invalid, latencies, "latencyCounts")
  SELECT s.split, s.grain, s."toolName", s.start, s."userId", s.configuration, way * s.calls, way * s.runs, way * s.ok,
    way * s.failed, way * s.denied, way * s.invalid, coalesce(l.latencies, '{}'), coalesce(l.counts, '{}')
  FROM sums s LEFT JOIN latencies l USING (split, grain, "toolName", start, "userId", configuration)
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (split, grain, "toolName", start, "userId", "configurationId") DO UPDATE SET
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
        CASE s.split WHEN 'all' THEN coalesce(c."configurationId", none) ELSE none END AS configuration
      FROM call_records c CROSS JOIN (VALUES ('all'), ('none')) s(split) WHERE c."runId" = ANY(run_ids)),
    several AS (SELECT split, "runId", "toolName" FROM places GROUP BY 1, 2, 3 HAVING count(*) > 1)
    INSERT INTO call_spans (split, start, "runId", "toolName", "userId", "configurationId")
    SELECT split, day, "runId", "toolName", "userId", configuration FROM places JOIN several USING (split, "runId", "toolName");
  END IF;
END
$$;

-- As with usage: a run whose calls change any more is taken out first. Both this and the roll-up lock its row.
CREATE FUNCTION take_out_of_call_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid := CASE TG_OP WHEN 'INSERT' THEN NEW."runId" ELSE OLD."runId" END;
  rolled boolean;
BEGIN
  SELECT "callsRolledUp" INTO rolled FROM runs WHERE id = changed FOR KEY SHARE;
  IF rolled THEN
    UPDATE runs SET "callsRolledUp" = false WHERE id = changed AND "callsRolledUp";
    IF FOUND THEN PERFORM roll_up_calls(ARRAY[changed], -1); END IF;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER taken_out BEFORE INSERT OR UPDATE OR DELETE ON call_records
  FOR EACH ROW EXECUTE FUNCTION take_out_of_call_rollups();

-- By its name this comes after `taken_out`, so that roll-ups of usage are always written before those of calls.
CREATE FUNCTION take_run_out_of_call_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_calls(ARRAY[OLD.id], -1);
  RETURN OLD;
END
$$;
CREATE TRIGGER taken_out_calls BEFORE DELETE ON runs
  FOR EACH ROW WHEN (OLD."callsRolledUp") EXECUTE FUNCTION take_run_out_of_call_rollups();

-- What is rolled up already gets its rows from those of `all`. First the runs: those that are in one row now count in it.
CREATE TEMP TABLE span_places ON COMMIT DROP AS
  SELECT DISTINCT s.split, u.start, u."runId",
    CASE WHEN s.of_user THEN u."userId" ELSE none END AS "userId",
    CASE WHEN s.of_configuration THEN u."configurationId" ELSE none END AS "configurationId",
    CASE WHEN s.of_connection THEN u."connectionId" ELSE none END AS "connectionId",
    CASE WHEN s.of_model THEN u."modelRecordId" ELSE none END AS "modelRecordId",
    CASE WHEN s.of_model THEN u."modelId" ELSE '' END AS "modelId"
  FROM usage_spans u CROSS JOIN usage_splits s
    CROSS JOIN (VALUES ('00000000-0000-0000-0000-000000000000'::uuid)) n(none) WHERE s.split <> 'all';
CREATE TEMP TABLE several_places ON COMMIT DROP AS
  SELECT split, "runId" FROM span_places GROUP BY 1, 2 HAVING count(*) > 1;
INSERT INTO usage_spans (split, start, "runId", "userId", "configurationId", "connectionId", "modelRecordId", "modelId")
  SELECT split, start, "runId", "userId", "configurationId", "connectionId", "modelRecordId", "modelId"
  FROM span_places JOIN several_places USING (split, "runId");
CREATE TEMP TABLE rolled_places ON COMMIT DROP AS
  SELECT s.split, u.grain, u.start,
    CASE WHEN s.of_user THEN u."userId" ELSE none END AS "userId",
    CASE WHEN s.of_configuration THEN u."configurationId" ELSE none END AS "configurationId",
    CASE WHEN s.of_connection THEN u."connectionId" ELSE none END AS "connectionId",
    CASE WHEN s.of_model THEN u."modelRecordId" ELSE none END AS "modelRecordId",
    CASE WHEN s.of_model THEN u."modelId" ELSE '' END AS "modelId",
    requests, runs, "inputTokens", "outputTokens", "cachedInputTokens", "costMicroUsd", unpriced, "atMost", reported,
    "reportedMicroUsd", "countedMicroUsd", estimated, retries, retried, errors, rescues, latencies, "latencyCounts"
  FROM usage_rollups u CROSS JOIN usage_splits s
    CROSS JOIN (VALUES ('00000000-0000-0000-0000-000000000000'::uuid)) n(none) WHERE s.split <> 'all';
INSERT INTO rolled_places
  SELECT split, grain, date_trunc(grain, start), "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '{}'
  FROM span_places CROSS JOIN (VALUES ('day'), ('month')) g(grain)
  WHERE NOT EXISTS (
    SELECT 1 FROM several_places o WHERE o.split = span_places.split AND o."runId" = span_places."runId");
WITH latencies AS (
  SELECT split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    array_agg(ms ORDER BY ms) AS latencies, array_agg(times ORDER BY ms) AS counts
  FROM (
    SELECT split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId", ms,
      sum(times)::int AS times
    FROM rolled_places CROSS JOIN LATERAL unnest(latencies, "latencyCounts") l(ms, times)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) each_latency
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
sums AS (
  SELECT split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    sum(requests) AS requests, sum(runs) AS runs, sum("inputTokens") AS input, sum("outputTokens") AS output,
    sum("cachedInputTokens") AS cached, sum("costMicroUsd") AS cost, sum(unpriced) AS unpriced,
    sum("atMost") AS at_most, sum(reported) AS reported, sum("reportedMicroUsd") AS reported_cost,
    sum("countedMicroUsd") AS counted_cost, sum(estimated) AS estimated, sum(retries) AS retries,
    sum(retried) AS retried, sum(errors) AS errors, sum(rescues) AS rescues
  FROM rolled_places GROUP BY 1, 2, 3, 4, 5, 6, 7, 8)
INSERT INTO usage_rollups (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
  requests, runs, "inputTokens", "outputTokens", "cachedInputTokens", "costMicroUsd", unpriced, "atMost", reported,
  "reportedMicroUsd", "countedMicroUsd", estimated, retries, retried, errors, rescues, latencies, "latencyCounts")
SELECT s.*, coalesce(l.latencies, '{}'), coalesce(l.counts, '{}')
FROM sums s LEFT JOIN latencies l
  USING (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId");
