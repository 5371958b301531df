import { takenBy } from '@/lib/domains/budgets/settlement-sql'

// The parts of the statement that writes journals, as common table expressions.

/**
 * `follows`: the event before is in the journal. It is missing when the database went back to an earlier state. PostgreSQL
 * might read the whole table for EXISTS.
 */
export const entry = `
entry AS MATERIALIZED (
  SELECT e.*, (
    SELECT b.seq FROM run_events b WHERE b."runId" = e."runId" AND b.seq = e."firstSeq" - 1) IS NOT NULL AS follows
  FROM jsonb_to_recordset($1::jsonb) AS e("runId" uuid, "policyVersion" bigint, "firstSeq" int, "rowSeq" int, "lastSeq" int, rounds int,
    calls int, "inputTokens" int, "outputTokens" int, "costMicroUsd" bigint, waits bool, "endReason" text,
    truncated bool, "notStarted" bool, "endedAt" float8, "durationMs" int, "prunedThrough" int, locks bool))`

/**
 * Locks runs in the order of their ids, as everything does that changes several: two processes never wait for each other.
 * Steps that need the locks have the condition `areLocked`, which takes all of them first.
 */
export const lockRuns = (ids: string) => `
locked AS MATERIALIZED (
  SELECT id FROM runs WHERE id IN (${ids}) ORDER BY id FOR NO KEY UPDATE)`

export const areLocked = '(SELECT count(*) FROM locked) >= 0'

/** Updates the rows of runs, and checks whose they are. `locks`: several of the batch change. */
export function ownership(proves: boolean, locks: boolean): string {
  const isProven = proves
    ? `AND (e."policyVersion" IS NULL OR e."policyVersion" = (SELECT version FROM policy))`
    : ''
  const conditions = locks ? `${isProven} AND ${areLocked}` : isProven
  return `
updated AS (
  UPDATE runs SET
    status = (CASE WHEN e."endReason" IS NOT NULL THEN 'ended'
      WHEN e.waits THEN 'waiting'
      WHEN status = 'waiting' AND EXISTS (SELECT 1 FROM approvals a
        WHERE a."runId" = e."runId" AND a.status = 'pending') THEN 'waiting'
      ELSE 'running' END)::"RunStatus",
    "lastSeq" = e."lastSeq",
    rounds = greatest(runs.rounds, e.rounds),
    calls = runs.calls + e.calls,
    "inputTokens" = runs."inputTokens" + e."inputTokens",
    "outputTokens" = runs."outputTokens" + e."outputTokens",
    "costMicroUsd" = runs."costMicroUsd" + e."costMicroUsd",
    "endReason" = coalesce(e."endReason", runs."endReason"),
    truncated = coalesce(e.truncated, runs.truncated),
    "notStarted" = coalesce(e."notStarted", runs."notStarted"),
    "endedAt" = coalesce(to_timestamp(e."endedAt" / 1000.0) AT TIME ZONE 'UTC', runs."endedAt"),
    "durationMs" = coalesce(e."durationMs", runs."durationMs"),
    "sitePlace" = CASE WHEN e."endReason" IS NULL THEN runs."sitePlace" END,
    "personPlace" = CASE WHEN e."endReason" IS NULL THEN runs."personPlace" END,
    "configurationPlace" = CASE WHEN e."endReason" IS NULL THEN runs."configurationPlace" END
  FROM entry e
  WHERE runs.id = e."runId" AND runs."instanceId" = $2::uuid AND e.follows AND runs."lastSeq" = e."rowSeq"
    AND e."lastSeq" IS NOT NULL ${conditions}
  RETURNING runs.id),
owned AS MATERIALIZED (
  SELECT id FROM updated UNION ALL
  SELECT r.id FROM runs r JOIN entry e ON e."runId" = r.id
  WHERE r."instanceId" = $2::uuid AND e.follows AND r."lastSeq" = e."rowSeq" AND e."lastSeq" IS NULL ${conditions})`
}

const isOwned = (run: string) => `EXISTS (SELECT 1 FROM owned o WHERE o.id = ${run})`

export const inserted = `
inserted AS (
  INSERT INTO run_events ("runId", seq, type, data, at)
  SELECT v."runId", v.seq, v.type, v.data, to_timestamp(v.at / 1000.0) AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset($3::jsonb) AS v("runId" uuid, seq int, type text, data jsonb, at float8)
  WHERE ${isOwned('v."runId"')})`

export const usageRecords = (place: string) => `
used AS (
  INSERT INTO usage_records (id, "runId", round, "userId", "configurationId", "connectionId", "modelRecordId",
    "modelId", "inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteTokens", "reasoningTokens",
    estimated, "costMicroUsd", "costAtMost", "unpricedTier", "reportedCostMicroUsd", "latencyMs", retries, retried, fallback, "errorCategory", at)
  SELECT id, "runId", round, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    "inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteTokens", "reasoningTokens",
    estimated, "costMicroUsd", "costAtMost", "unpricedTier", "reportedCostMicroUsd", "latencyMs", retries, retried, fallback, "errorCategory", now() AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset(${place}) AS u(id uuid, "runId" uuid, round int, "userId" uuid, "configurationId" uuid,
    "connectionId" uuid, "modelRecordId" uuid, "modelId" text, "inputTokens" int, "outputTokens" int,
    "cachedInputTokens" int, "cacheWriteTokens" int, "reasoningTokens" int, estimated bool,
    "costMicroUsd" bigint, "costAtMost" bool, "unpricedTier" bool, "reportedCostMicroUsd" bigint, "latencyMs" int, retries int, retried bool, fallback bool, "errorCategory" text)
  WHERE ${isOwned('u."runId"')})`

/** Settles the reservations of these requests in the statement that writes their usage records. */
export const charged = (place: string) => `
charged AS (
  SELECT r.id, r.status::text AS status, ${takenBy('u')} AS used, 'settled' AS outcome
  FROM jsonb_to_recordset(${place}) AS u(id uuid, "runId" uuid, "inputTokens" bigint, "outputTokens" bigint,
      "costMicroUsd" bigint, retries int)
    JOIN budget_reservations r ON r."callId" = u.id AND r.status <> 'settled'
    JOIN budgets b ON b.id = r."budgetId"
  WHERE ${isOwned('u."runId"')}
  ORDER BY r.id FOR UPDATE OF r)`

/** Records the calls that ended, for the health of tools. Triggers note the facts about them on the rows of runs that end. */
export const callRecordsOf = (place: string) => `
called AS (
  INSERT INTO call_records ("runId", "callId", "toolName", "userId", "configurationId", outcome, gate, "durationMs", at)
  SELECT "runId", "callId", "toolName", "userId", "configurationId", outcome, gate, "durationMs", now() AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset(${place}) AS c("runId" uuid, "callId" text, "toolName" text, "userId" uuid,
    "configurationId" uuid, outcome text, gate text, "durationMs" int)
  WHERE ${isOwned('c."runId"')}
  ON CONFLICT ("runId", "callId") DO NOTHING)`

/** Counts what rules that only observe match, in the order of their ids: two processes never wait for each other. */
export const observations = (place: string) => `
observed AS (
  INSERT INTO rule_counts AS c ("ruleId", calls, "lastAt")
  SELECT m."ruleId", count(*), now() AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset(${place}) AS m("runId" uuid, "ruleId" uuid)
  WHERE ${isOwned('m."runId"')} AND EXISTS (SELECT FROM approval_rules r WHERE r.id = m."ruleId")
  GROUP BY m."ruleId" ORDER BY m."ruleId"
  ON CONFLICT ("ruleId") DO UPDATE SET calls = c.calls + excluded.calls, "lastAt" = excluded."lastAt")`

/** Stores native answers as text, because jsonb would change them. */
export const nativeAnswers = (place: string) => `
native AS (
  INSERT INTO native_answers ("runId", round, content)
  SELECT "runId", round, content
  FROM jsonb_to_recordset(${place}) AS n("runId" uuid, round int, content text)
  WHERE ${isOwned('n."runId"')}
  ON CONFLICT ("runId", round) DO UPDATE SET content = excluded.content)`

/**
 * Inserts an approval for each call that waits, with its arguments from the journal, and voids open ones of runs that
 * end.
 */
export const approvalChanges = (place: string) => `
requested AS (
  INSERT INTO approvals (id, "runId", "callId", round, "toolName", "argumentsText", "argumentsHash", "ruleId",
    "ruleName", once, "fourEyesRule", status, "requestedAt", "expiresAt")
  SELECT q.id, q."runId", q."callId", q.round, q."toolName", answer."argumentsText", q."argumentsHash", q."ruleId",
    q."ruleName", coalesce(q.once, false), q."fourEyesRule", q.status::"ApprovalStatus", to_timestamp(q."requestedAt" / 1000.0) AT TIME ZONE 'UTC',
    to_timestamp(q."expiresAt" / 1000.0) AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset(${place}) AS q(id uuid, "runId" uuid, "callId" text, round int, "toolName" text,
      "argumentsHash" text, "ruleId" uuid, "ruleName" text, once bool, "fourEyesRule" text, status text,
      "requestedAt" float8, "expiresAt" float8)
    CROSS JOIN LATERAL (
      SELECT c->>'argumentsText' AS "argumentsText"
      FROM (
        SELECT m.data FROM run_events m WHERE m."runId" = q."runId" AND m.type = 'message'
        UNION ALL
        SELECT b->'body'->'data' FROM run_events m CROSS JOIN LATERAL jsonb_array_elements(m.data->'events') AS b
        WHERE m."runId" = q."runId" AND m.seq = 2 AND m.type = 'copied' AND b->'body'->>'type' = 'message') said
      CROSS JOIN LATERAL jsonb_array_elements(said.data->'toolCalls') AS c
      WHERE c->>'callId' = q."callId"
      LIMIT 1) answer
  WHERE ${isOwned('q."runId"')}
  ON CONFLICT ("runId", "callId") DO UPDATE SET
    id = excluded.id, "argumentsHash" = excluded."argumentsHash", "ruleId" = excluded."ruleId",
    "ruleName" = excluded."ruleName", once = excluded.once, "fourEyesRule" = excluded."fourEyesRule", status = excluded.status,
    "requestedAt" = excluded."requestedAt", "expiresAt" = excluded."expiresAt", "decidedAt" = NULL, "decidedBy" = NULL, "decidedByLabel" = NULL,
    "editedArguments" = NULL, message = ''),
voided AS (
  UPDATE approvals a SET status = 'void', "decidedAt" = now() AT TIME ZONE 'UTC'
  FROM entry e
  WHERE a."runId" = e."runId" AND a.status = 'pending' AND e."endReason" IS NOT NULL AND ${isOwned('e."runId"')})`

/** Removes native answers that are no longer sent to any model. */
export const forgotten = `
forgotten AS (
  DELETE FROM native_answers n USING entry e
  WHERE n."runId" = e."runId" AND n.round <= e."prunedThrough" AND ${isOwned('e."runId"')})`
