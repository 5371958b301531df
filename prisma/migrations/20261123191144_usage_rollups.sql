-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "rolledUp" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "usage_rollups" (
    "grain" TEXT NOT NULL,
    "start" TIMESTAMP(3) NOT NULL,
    "userId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,
    "connectionId" UUID NOT NULL,
    "modelRecordId" UUID NOT NULL,
    "modelId" TEXT NOT NULL,
    "requests" BIGINT NOT NULL,
    "runs" BIGINT NOT NULL,
    "inputTokens" BIGINT NOT NULL,
    "outputTokens" BIGINT NOT NULL,
    "cachedInputTokens" BIGINT NOT NULL,
    "costMicroUsd" BIGINT NOT NULL,
    "unpriced" BIGINT NOT NULL,
    "atMost" BIGINT NOT NULL,
    "reported" BIGINT NOT NULL,
    "reportedMicroUsd" BIGINT NOT NULL,
    "countedMicroUsd" BIGINT NOT NULL,
    "estimated" BIGINT NOT NULL,
    "retries" BIGINT NOT NULL,
    "retried" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "rescues" BIGINT NOT NULL,
    "latencies" INTEGER[],
    "latencyCounts" INTEGER[],

    CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("grain","start","userId","configurationId","connectionId","modelRecordId","modelId")
);

-- CreateTable
CREATE TABLE "usage_spans" (
    "start" TIMESTAMP(3) NOT NULL,
    "runId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,
    "connectionId" UUID NOT NULL,
    "modelRecordId" UUID NOT NULL,
    "modelId" TEXT NOT NULL,

    CONSTRAINT "usage_spans_pkey" PRIMARY KEY ("start","runId","connectionId","modelRecordId","modelId","configurationId","userId")
);

-- CreateIndex
CREATE INDEX "usage_spans_runId_idx" ON "usage_spans"("runId");

-- Few runs are not rolled up: the active ones, and those that ended lately.
CREATE INDEX "runs_not_rolled_up_idx" ON "runs"("id") WHERE NOT "rolledUp";

-- Adds the usage records of these runs to the roll-ups (way 1), or takes them out again (way -1). The caller has locked
-- the runs, and notes in "rolledUp" what happened. Rows are written in one order, so that two callers never wait for
-- each other.
CREATE FUNCTION roll_up_usage(run_ids uuid[], way int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  WITH records AS MATERIALIZED (
    SELECT u."runId", date_trunc('day', u.at) AS day, u."userId", coalesce(u."configurationId", none) AS configuration,
      coalesce(u."connectionId", none) AS connection, coalesce(u."modelRecordId", none) AS model, u."modelId",
      u."inputTokens", u."outputTokens", u."cachedInputTokens", u."costMicroUsd", u."costAtMost",
      u."reportedCostMicroUsd", u.estimated, u.retries, u.retried, u.fallback, u."errorCategory",
      CASE WHEN u."errorCategory" IS NULL
        THEN round(u."latencyMs"::numeric, least(0, 2 - length(u."latencyMs"::text)))::int END AS latency
    FROM usage_records u WHERE u."runId" = ANY(run_ids)),
  whole AS (
    SELECT "runId" FROM records GROUP BY 1
    HAVING count(DISTINCT (day, "userId", configuration, connection, model, "modelId")) = 1),
  grained AS MATERIALIZED (
    SELECT g.grain, date_trunc(g.grain, r.day) AS start, r.*, w."runId" AS "wholeRun"
    FROM records r LEFT JOIN whole w ON w."runId" = r."runId" CROSS JOIN (VALUES ('day'), ('month')) g(grain)),
  latencies AS (
    SELECT grain, start, "userId", configuration, connection, model, "modelId",
      array_agg(latency) AS latencies, array_agg(way * times) AS counts
    FROM (
      SELECT grain, start, "userId", configuration, connection, model, "modelId", latency, count(*)::int AS times
      FROM grained WHERE latency IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) each_latency
    GROUP BY 1, 2, 3, 4, 5, 6, 7),
  sums AS (
    SELECT grain, start, "userId", configuration, connection, model, "modelId", count(*) AS requests,
      count(DISTINCT "wholeRun") AS runs, sum("inputTokens") AS input, sum("outputTokens") AS output,
      sum("cachedInputTokens") AS cached, coalesce(sum("costMicroUsd"), 0) AS cost,
      count(*) FILTER (WHERE "costMicroUsd" IS NULL) AS unpriced, count(*) FILTER (WHERE "costAtMost") AS at_most,
      count("reportedCostMicroUsd") AS reported, coalesce(sum("reportedCostMicroUsd"), 0) AS reported_cost,
      coalesce(sum("costMicroUsd") FILTER (WHERE "reportedCostMicroUsd" IS NOT NULL), 0) AS counted_cost,
      count(*) FILTER (WHERE estimated) AS estimated, sum(retries) AS retries,
      count(*) FILTER (WHERE retried) AS retried,
      count(*) FILTER (WHERE "errorCategory" IS NOT NULL AND NOT retried) AS errors,
      count(*) FILTER (WHERE fallback AND "errorCategory" IS NULL) AS rescues
    FROM grained GROUP BY 1, 2, 3, 4, 5, 6, 7)
  INSERT INTO usage_rollups AS t (grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    requests, runs, "inputTokens", "outputTokens", "cachedInputTokens", "costMicroUsd", unpriced, "atMost", reported,
    "reportedMicroUsd", "countedMicroUsd", estimated, retries, retried, errors, rescues, latencies, "latencyCounts")
  SELECT s.grain, s.start, s."userId", s.configuration, s.connection, s.model, s."modelId",
    way * s.requests, way * s.runs, way * s.input, way * s.output, way * s.cached, way * s.cost, way * s.unpriced,
    way * s.at_most, way * s.reported, way * s.reported_cost, way * s.counted_cost, way * s.estimated, way * s.retries,
    way * s.retried, way * s.errors, way * s.rescues, coalesce(l.latencies, '{}'), coalesce(l.counts, '{}')
  FROM sums s LEFT JOIN latencies l USING (grain, start, "userId", configuration, connection, model, "modelId")
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId") DO UPDATE SET
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
    INSERT INTO usage_spans (start, "runId", "userId", "configurationId", "connectionId", "modelRecordId", "modelId")
    SELECT DISTINCT date_trunc('day', u.at), u."runId", u."userId", coalesce(u."configurationId", none),
      coalesce(u."connectionId", none), coalesce(u."modelRecordId", none), u."modelId"
    FROM usage_records u WHERE u."runId" = ANY(run_ids) AND EXISTS (
      SELECT 1 FROM usage_records o WHERE o."runId" = u."runId"
        AND (date_trunc('day', o.at), o."userId", o."configurationId", o."connectionId", o."modelRecordId", o."modelId")
          IS DISTINCT FROM
          (date_trunc('day', u.at), u."userId", u."configurationId", u."connectionId", u."modelRecordId", u."modelId"));
  END IF;
END
$$;

-- A run whose records change any more is taken out of the roll-ups first. Both this and the roll-up lock its row, so
-- that no record is added beside a roll-up that does not see it.
CREATE FUNCTION take_out_of_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid := CASE TG_OP WHEN 'INSERT' THEN NEW."runId" ELSE OLD."runId" END;
  rolled boolean;
BEGIN
  SELECT "rolledUp" INTO rolled FROM runs WHERE id = changed FOR KEY SHARE;
  IF rolled THEN
    UPDATE runs SET "rolledUp" = false WHERE id = changed AND "rolledUp";
    IF FOUND THEN PERFORM roll_up_usage(ARRAY[changed], -1); END IF;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER taken_out BEFORE INSERT OR UPDATE OR DELETE ON usage_records
  FOR EACH ROW EXECUTE FUNCTION take_out_of_rollups();

CREATE FUNCTION take_run_out_of_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_usage(ARRAY[OLD.id], -1);
  RETURN OLD;
END
$$;
CREATE TRIGGER taken_out BEFORE DELETE ON runs
  FOR EACH ROW WHEN (OLD."rolledUp") EXECUTE FUNCTION take_run_out_of_rollups();
