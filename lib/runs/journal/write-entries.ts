import 'server-only'
import { settlement, takenBy } from '@/lib/domains/budgets/settlement-sql'
import type { Database, Tx } from '@/lib/kernel/db'
import { currentPolicy } from '@/lib/kernel/locks'
import type { RunEvent } from '@/lib/protocol/run-event'
import { channels } from './notifications'
import { callRecords, type RunFacts, runChanges } from './run-changes'
import { runNotice } from './run-notice'

/** Events of one run that are stored together, all or none. */
export type Entry = {
  facts: RunFacts
  events: RunEvent[]
  /** The native answer that is stored beside a message of these events. */
  native?: { round: number; content: string } | null
  /** The version of the policy that decided a start among them; they are stored only while it is the current one. */
  policyVersion?: string | null
}

/** `lost` = another process owns the run. `policy-changed` = the version is not the current one any more. */
export type Written = 'written' | 'lost' | 'policy-changed'

/** Runs one statement. On the pool, it is prepared once for each connection, under its name. */
export type Query = (
  statement: { name: string; text: string },
  values: unknown[],
) => Promise<{ runId: string; isOwned: boolean; version: string | null }[]>

export function queryIn(tx: Tx): Query {
  return ({ text }, values) => tx.$queryRawUnsafe(text, ...values)
}

export function queryPool({ pool }: Pick<Database, 'pool'>): Query {
  return async (statement, values) => (await pool.query({ ...statement, values })).rows
}

/**
 * Appends entries to the journals of different runs. The same statement updates their rows, usage and call records,
 * budgets, approvals and native answers, and notifies watchers, so that all of an entry is stored or nothing. Returns what
 * became of each entry. A `seq` that is already taken violates the primary key, and nothing at all is stored. `notice` =
 * what watchers in other processes are told with it; null = nothing.
 */
export async function writeEntries(
  query: Query,
  instanceId: string,
  entries: readonly Entry[],
  notice: string | null = runNotice({ writer: instanceId, runs: entries.map(placeOf) }),
): Promise<Written[]> {
  const parts = entries.map(partOf)
  const usage = parts.flatMap((part) => part.usage)
  const calls = parts.flatMap((part) => part.calls)
  const natives = parts.flatMap(({ native }) => native ?? [])
  const requests = parts.flatMap((part) => part.requests)
  const shape: Shape = {
    proves: entries.some(({ policyVersion }) => policyVersion != null),
    usage: usage.length > 0,
    settles: parts.some(({ settles }) => settles),
    calls: calls.length > 0,
    natives: natives.length > 0,
    approvals: requests.length > 0 || parts.some(({ row }) => row.endReason !== undefined),
    forgets: parts.some(({ row }) => row.prunedThrough > 0),
  }
  const values = [
    toJson(parts.map(({ row }) => row)),
    instanceId,
    toJson(parts.flatMap(({ events }) => events)),
    notice,
    ...(shape.usage ? [toJson(usage)] : []),
    ...(shape.calls ? [toJson(calls)] : []),
    ...(shape.natives ? [toJson(natives)] : []),
    ...(shape.approvals ? [toJson(requests)] : []),
  ]
  const rows = await query(statementFor(shape), values)
  const owned = new Set(rows.flatMap(({ runId, isOwned }) => (isOwned ? [runId] : [])))
  return entries.map(({ facts, policyVersion }) => {
    if (owned.has(facts.runId)) return 'written'
    return policyVersion != null && policyVersion !== rows[0]?.version ? 'policy-changed' : 'lost'
  })
}

/** Returns the run of an entry, and its last `seq`. */
export function placeOf({ facts: { runId }, events }: Entry): { runId: string; seq: number } {
  return { runId, seq: events.at(-1)?.seq ?? 0 }
}

/** Returns the rows of an entry. `row` changes the row of its run; without a `lastSeq`, it only checks the owner. */
function partOf({ facts, events, native, policyVersion = null }: Entry) {
  const { runId } = facts
  const changes = runChanges(facts, events)
  const ofRun = (row: object) => ({ ...row, runId })
  const row = {
    ...{ runId, policyVersion, prunedThrough: prunedThrough(events) },
    ...changes?.totals,
    ...changes?.ending,
  }
  return {
    row: row as typeof row & { endReason?: string },
    events: events.map(({ seq, type, data, at }) => ({ runId, seq, type, data, at })),
    usage: changes?.usage.map(ofRun) ?? [],
    settles: changes?.settles ?? false,
    requests: changes?.requests.map(ofRun) ?? [],
    calls: callRecords(facts, events).map(ofRun),
    native: native ? { ...native, runId } : null,
  }
}

function prunedThrough(events: readonly RunEvent[]): number {
  const rounds = events.map((event) =>
    event.type === 'warning' ? (event.data.prunedThrough ?? 0) : 0,
  )
  return Math.max(0, ...rounds)
}

/** What a batch has. Most have neither approvals nor budgets nor native answers, and take a shorter statement. */
type Shape = Record<
  'proves' | 'usage' | 'settles' | 'calls' | 'natives' | 'approvals' | 'forgets',
  boolean
>

const statements = new Map<string, { name: string; text: string }>()

function statementFor(shape: Shape): { name: string; text: string } {
  const parts = Object.entries(shape).flatMap(([part, isWanted]) => (isWanted ? [part] : []))
  const name = ['journal', ...parts].join(' ')
  const known = statements.get(name)
  if (known) return known
  const statement = { name, text: textFor(shape) }
  statements.set(name, statement)
  return statement
}

function textFor({ proves, usage, settles, calls, natives, approvals, forgets }: Shape): string {
  let places = 4
  const next = () => `$${++places}::jsonb`
  const [usagePlace, callsPlace] = [usage ? next() : '', calls ? next() : '']
  const [nativesPlace, approvalsPlace] = [natives ? next() : '', approvals ? next() : '']
  const steps = [
    ...(proves ? [currentPolicy] : []),
    ...[entry, ownership(proves), inserted],
    ...(usage ? [usageRecords(usagePlace)] : []),
    ...(settles ? [charged(usagePlace), settlement] : []),
    ...(calls ? [callRecordsOf(callsPlace)] : []),
    ...(natives ? [nativeAnswers(nativesPlace)] : []),
    ...(approvals ? [approvalChanges(approvalsPlace)] : []),
    ...(forgets ? [forgotten] : []),
  ]
  return `WITH ${steps.join(',\n')}
SELECT e."runId"::text AS "runId", o.id IS NOT NULL AS "isOwned",
  ${proves ? '(SELECT version::text FROM policy)' : 'NULL'} AS version,
  (SELECT CASE WHEN $4::text IS NOT NULL THEN pg_notify('${channels.run}', $4::text) IS NULL END) AS notified
FROM entry e LEFT JOIN owned o ON o.id = e."runId"`
}

const entry = `
entry AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS e("runId" uuid, "policyVersion" bigint, "lastSeq" int, rounds int,
    calls int, "inputTokens" int, "outputTokens" int, "costMicroUsd" bigint, waits bool, "endReason" text,
    truncated bool, "notStarted" bool, "endedAt" float8, "durationMs" int, "prunedThrough" int))`

function ownership(proves: boolean): string {
  const isProven = proves
    ? `AND (e."policyVersion" IS NULL OR e."policyVersion" = (SELECT version FROM policy))`
    : ''
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
  WHERE runs.id = e."runId" AND runs."instanceId" = $2::uuid AND e."lastSeq" IS NOT NULL ${isProven}
  RETURNING runs.id),
owned AS MATERIALIZED (
  SELECT id FROM updated UNION ALL
  SELECT r.id FROM runs r JOIN entry e ON e."runId" = r.id
  WHERE r."instanceId" = $2::uuid AND e."lastSeq" IS NULL ${isProven})`
}

const isOwned = (run: string) => `EXISTS (SELECT 1 FROM owned o WHERE o.id = ${run})`

const inserted = `
inserted AS (
  INSERT INTO run_events ("runId", seq, type, data, at)
  SELECT v."runId", v.seq, v.type, v.data, to_timestamp(v.at / 1000.0) AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset($3::jsonb) AS v("runId" uuid, seq int, type text, data jsonb, at float8)
  WHERE ${isOwned('v."runId"')})`

const usageRecords = (place: string) => `
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
const charged = (place: string) => `
charged AS (
  SELECT r.id, r.status::text AS status, ${takenBy('u')} AS used, 'settled' AS outcome
  FROM jsonb_to_recordset(${place}) AS u(id uuid, "runId" uuid, "inputTokens" bigint, "outputTokens" bigint,
      "costMicroUsd" bigint, retries int)
    JOIN budget_reservations r ON r."callId" = u.id AND r.status <> 'settled'
    JOIN budgets b ON b.id = r."budgetId"
  WHERE ${isOwned('u."runId"')}
  ORDER BY r.id FOR UPDATE OF r)`

/** Records the calls that ended, for the health of tools. */
const callRecordsOf = (place: string) => `
called AS (
  INSERT INTO call_records ("runId", "callId", "toolName", "userId", "configurationId", outcome, "durationMs", at)
  SELECT "runId", "callId", "toolName", "userId", "configurationId", outcome, "durationMs", now() AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset(${place}) AS c("runId" uuid, "callId" text, "toolName" text, "userId" uuid,
    "configurationId" uuid, outcome text, "durationMs" int)
  WHERE ${isOwned('c."runId"')}
  ON CONFLICT ("runId", "callId") DO NOTHING)`

/** Stores native answers as text, because jsonb would change them. */
const nativeAnswers = (place: string) => `
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
const approvalChanges = (place: string) => `
requested AS (
  INSERT INTO approvals (id, "runId", "callId", round, "toolName", "argumentsText", "argumentsHash", "ruleId",
    "ruleName", once, status, "requestedAt", "expiresAt")
  SELECT q.id, q."runId", q."callId", q.round, q."toolName", asked."argumentsText", q."argumentsHash", q."ruleId",
    q."ruleName", coalesce(q.once, false), q.status::"ApprovalStatus", to_timestamp(q."requestedAt" / 1000.0) AT TIME ZONE 'UTC',
    to_timestamp(q."expiresAt" / 1000.0) AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset(${place}) AS q(id uuid, "runId" uuid, "callId" text, round int, "toolName" text,
      "argumentsHash" text, "ruleId" uuid, "ruleName" text, once bool, status text, "requestedAt" float8,
      "expiresAt" float8)
    CROSS JOIN LATERAL (
      SELECT c->>'argumentsText' AS "argumentsText"
      FROM run_events m CROSS JOIN LATERAL jsonb_array_elements(m.data->'toolCalls') AS c
      WHERE m."runId" = q."runId" AND m.type = 'message' AND c->>'callId' = q."callId"
      LIMIT 1) asked
  WHERE ${isOwned('q."runId"')}
  ON CONFLICT ("runId", "callId") DO UPDATE SET
    id = excluded.id, "argumentsHash" = excluded."argumentsHash", "ruleId" = excluded."ruleId",
    "ruleName" = excluded."ruleName", once = excluded.once, status = excluded.status,
    "requestedAt" = excluded."requestedAt", "expiresAt" = excluded."expiresAt", "decidedAt" = NULL, "decidedBy" = NULL, "decidedByLabel" = NULL,
    "editedArguments" = NULL, message = ''),
voided AS (
  UPDATE approvals a SET status = 'void', "decidedAt" = now() AT TIME ZONE 'UTC'
  FROM entry e
  WHERE a."runId" = e."runId" AND a.status = 'pending' AND e."endReason" IS NOT NULL AND ${isOwned('e."runId"')})`

/** Removes native answers that are no longer sent to any model. */
const forgotten = `
forgotten AS (
  DELETE FROM native_answers n USING entry e
  WHERE n."runId" = e."runId" AND n.round <= e."prunedThrough" AND ${isOwned('e."runId"')})`

/** JSON escapes that PostgreSQL's jsonb refuses: NUL and lone surrogates (SPEC T5a). */
const refusedEscape = /\\u(?:0000|d[89a-f])/i

/** Returns JSON that PostgreSQL stores: without NUL and lone surrogates. */
export function toJson(rows: unknown): string {
  const text = JSON.stringify(rows)
  return refusedEscape.test(text) ? JSON.stringify(rows, storable) : text
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
