-- Roll-ups of usage know the key of the run: the rows of `all` have it beside the other ids, and `apiKey` has rows of keys
-- alone.

-- Rolled up runs of keys are taken out, and come back in the background with their keys. Until then, their records are read.
-- Only reads go on meanwhile, so that nobody holds a run for whose roll-up this would wait.
LOCK TABLE runs, usage_rollups, usage_spans IN EXCLUSIVE MODE;
DO $$
DECLARE
  last uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    SELECT array_agg(id ORDER BY id) INTO ids FROM (
      SELECT id FROM runs WHERE "apiKeyId" IS NOT NULL AND "rolledUp" AND id > last ORDER BY id LIMIT 5000) some_runs;
    EXIT WHEN ids IS NULL;
    PERFORM roll_up_usage(ids, -1);
    UPDATE runs SET "rolledUp" = false WHERE id = ANY(ids);
    last := ids[cardinality(ids)];
  END LOOP;
END
$$;

-- AlterTable
ALTER TABLE "usage_rollups" DROP CONSTRAINT "usage_rollups_pkey",
ADD COLUMN     "apiKeyId" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
ADD CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("split", "grain", "start", "userId", "configurationId", "connectionId", "modelRecordId", "modelId", "apiKeyId");
ALTER TABLE "usage_rollups" ALTER COLUMN "apiKeyId" DROP DEFAULT;

-- AlterTable
ALTER TABLE "usage_spans" DROP CONSTRAINT "usage_spans_pkey",
ADD COLUMN     "apiKeyId" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
ADD CONSTRAINT "usage_spans_pkey" PRIMARY KEY ("split", "start", "runId", "connectionId", "modelRecordId", "modelId", "configurationId", "userId", "apiKeyId");
ALTER TABLE "usage_spans" ALTER COLUMN "apiKeyId" DROP DEFAULT;

-- No run that is rolled up now has a key, so the rows of no key are those of `none`.
INSERT INTO usage_rollups
  SELECT (jsonb_populate_record(u, '{"split": "apiKey"}')).* FROM usage_rollups u WHERE split = 'none';
INSERT INTO usage_spans
  SELECT (jsonb_populate_record(u, '{"split": "apiKey"}')).* FROM usage_spans u WHERE split = 'none';

CREATE OR REPLACE VIEW usage_splits AS SELECT * FROM (VALUES
  ('all', true, true, true, true, true), ('none', false, false, false, false, false),
  ('user', true, false, false, false, false), ('configuration', false, true, false, false, false),
  ('connection', false, false, true, false, false), ('model', false, false, true, true, false),
  ('apiKey', false, false, false, false, true)) s(split, of_user, of_configuration, of_connection, of_model, of_key);

-- As before, with the key of the run: all records of a run have the same.
CREATE OR REPLACE FUNCTION roll_up_usage(run_ids uuid[], way int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  -- Records of one part have the same ids and the same day.
  WITH records AS MATERIALIZED (
    SELECT dense_rank() OVER (ORDER BY day, "userId", configuration, connection, model, "modelId", key) AS part, r.*
    FROM (
      SELECT u."runId", date_trunc('day', u.at) AS day, u."userId", coalesce(u."configurationId", none) AS configuration,
        coalesce(u."connectionId", none) AS connection, coalesce(u."modelRecordId", none) AS model, u."modelId",
        coalesce(n."apiKeyId", none) AS key, u."inputTokens", u."outputTokens", u."cachedInputTokens", u."costMicroUsd",
        u."costAtMost", u."reportedCostMicroUsd", u.estimated, u.retries, u.retried, u.fallback, u."errorCategory",
        CASE WHEN u."errorCategory" IS NULL
          THEN round(u."latencyMs"::numeric, least(0, 2 - length(u."latencyMs"::text)))::int END AS latency
      FROM usage_records u JOIN runs n ON n.id = u."runId" WHERE u."runId" = ANY(run_ids)) r),
  parts AS MATERIALIZED (
    SELECT part, day, "userId", configuration, connection, model, "modelId", key, count(*) AS requests,
      sum("inputTokens") AS input, sum("outputTokens") AS output, sum("cachedInputTokens") AS cached,
      coalesce(sum("costMicroUsd"), 0) AS cost, count(*) FILTER (WHERE "costMicroUsd" IS NULL) AS unpriced,
      count(*) FILTER (WHERE "costAtMost") AS at_most, count("reportedCostMicroUsd") AS reported,
      coalesce(sum("reportedCostMicroUsd"), 0) AS reported_cost,
      coalesce(sum("costMicroUsd") FILTER (WHERE "reportedCostMicroUsd" IS NOT NULL), 0) AS counted_cost,
      count(*) FILTER (WHERE estimated) AS estimated, sum(retries) AS retries,
      count(*) FILTER (WHERE retried) AS retried,
      count(*) FILTER (WHERE "errorCategory" IS NOT NULL AND NOT retried) AS errors,
      count(*) FILTER (WHERE fallback AND "errorCategory" IS NULL) AS rescues
    FROM records GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
  -- Each part with the row that it belongs to, of each split and grain.
  places AS MATERIALIZED (
    SELECT p.part, s.split, g.grain, date_trunc(g.grain, p.day) AS start, p.day,
      CASE WHEN s.of_user THEN p."userId" ELSE none END AS "userId",
      CASE WHEN s.of_configuration THEN p.configuration ELSE none END AS configuration,
      CASE WHEN s.of_connection THEN p.connection ELSE none END AS connection,
      CASE WHEN s.of_model THEN p.model ELSE none END AS model,
      CASE WHEN s.of_model THEN p."modelId" ELSE '' END AS "modelId",
      CASE WHEN s.of_key THEN p.key ELSE none END AS key
    FROM parts p CROSS JOIN usage_splits s CROSS JOIN (VALUES ('day'), ('month')) g(grain)),
  part_latencies AS (
    SELECT part, latency, count(*)::int AS times FROM records WHERE latency IS NOT NULL GROUP BY 1, 2),
  latencies AS (
    SELECT split, grain, start, "userId", configuration, connection, model, "modelId", key,
      array_agg(latency) AS latencies, array_agg(way * times) AS counts
    FROM (
      SELECT split, grain, start, "userId", configuration, connection, model, "modelId", key, latency,
        sum(times)::int AS times
      FROM places JOIN part_latencies USING (part) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) each_latency
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9),
  run_parts AS (SELECT DISTINCT "runId", part FROM records),
  -- The runs whose records are all in one row of days of a split.
  whole AS MATERIALIZED (
    SELECT split, "runId", min(part) AS part
    FROM run_parts JOIN places USING (part) WHERE grain = 'day' GROUP BY 1, 2
    HAVING count(DISTINCT (day, "userId", configuration, connection, model, "modelId")) = 1),
  runs AS (SELECT split, part, count(*) AS runs FROM whole GROUP BY 1, 2),
  sums AS (
    SELECT l.split, grain, start, l."userId", l.configuration, l.connection, l.model, l."modelId", l.key,
      sum(requests) AS requests, coalesce(sum(r.runs), 0) AS runs, sum(input) AS input, sum(output) AS output,
      sum(cached) AS cached, sum(cost) AS cost, sum(unpriced) AS unpriced, sum(at_most) AS at_most,
      sum(reported) AS reported, sum(reported_cost) AS reported_cost, sum(counted_cost) AS counted_cost,
      sum(estimated) AS estimated, sum(retries) AS retries, sum(retried) AS retried, sum(errors) AS errors,
      sum(rescues) AS rescues
    FROM places l JOIN parts p USING (part) LEFT JOIN runs r ON r.split = l.split AND r.part = l.part
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9)
  INSERT INTO usage_rollups AS t (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId",
    "modelId", "apiKeyId", requests, runs, "inputTokens", "outputTokens", "cachedInputTokens", "costMicroUsd", unpriced,
    "atMost", reported, "reportedMicroUsd", "countedMicroUsd", estimated, retries, retried, errors, rescues, latencies,
    "latencyCounts")
  SELECT s.split, s.grain, s.start, s."userId", s.configuration, s.connection, s.model, s."modelId",
    s.key, way * s.requests, way * s.runs, way * s.input, way * s.output, way * s.cached, way * s.cost, way * s.unpriced,
    way * s.at_most, way * s.reported, way * s.reported_cost, way * s.counted_cost, way * s.estimated, way * s.retries,
    way * s.retried, way * s.errors, way * s.rescues, coalesce(l.latencies, '{}'), coalesce(l.counts, '{}')
  FROM sums s LEFT JOIN latencies l USING (split, grain, start, "userId", configuration, connection, model, "modelId", key)
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ON CONFLICT (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId", "apiKeyId")
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
        CASE WHEN s.of_model THEN u."modelId" ELSE '' END AS "modelId",
        CASE WHEN s.of_key THEN coalesce(n."apiKeyId", none) ELSE none END AS key
      FROM usage_records u JOIN runs n ON n.id = u."runId" CROSS JOIN usage_splits s WHERE u."runId" = ANY(run_ids)),
    several AS (SELECT split, "runId" FROM places GROUP BY 1, 2 HAVING count(*) > 1)
    INSERT INTO usage_spans (split, start, "runId", "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
      "apiKeyId")
    SELECT split, day, "runId", "userId", configuration, connection, model, "modelId", key
    FROM places JOIN several USING (split, "runId");
  END IF;
END
$$;

-- A run that loses its key is taken out with the key that it had.
CREATE FUNCTION take_run_of_key_out_of_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_usage(ARRAY[OLD.id], -1);
  NEW."rolledUp" := false;
  RETURN NEW;
END
$$;
CREATE TRIGGER taken_out_of_key BEFORE UPDATE OF "apiKeyId" ON runs
  FOR EACH ROW WHEN (OLD."rolledUp" AND OLD."apiKeyId" IS DISTINCT FROM NEW."apiKeyId")
  EXECUTE FUNCTION take_run_of_key_out_of_rollups();
