import 'server-only'
import { settlement, takenBy } from '@/lib/domains/budgets/settlement-sql'
import type { NativeAnswers } from '@/lib/engines/runtime/native-answers'
import type { Database, Tx } from '@/lib/kernel/db'
import { deltaTypes, type RunEvent } from '@/lib/protocol/run-event'
import { runNotice } from './fresh-events'
import { channels } from './notifications'
import {
  callRecords,
  lastingEvents,
  type RunChanges,
  type RunFacts,
  runChanges,
} from './run-changes'

/** Runs one statement in a transaction or on the pool. */
export type Query = (statement: string, values: unknown[]) => Promise<{ inserted: number }[]>

export function queryIn(tx: Tx): Query {
  return (statement, values) => tx.$queryRawUnsafe(statement, ...values)
}

export function queryPool({ pool }: Pick<Database, 'pool'>): Query {
  return async (statement, values) => (await pool.query(statement, values)).rows
}

/** JSON escapes that PostgreSQL's jsonb refuses: NUL and lone surrogates (SPEC T5a). */
const refusedEscape = /\\u(?:0000|d[89a-f])/i

const inserted = (owned: string) => `
  INSERT INTO run_events ("runId", seq, type, data, at)
  SELECT $1::uuid, e.seq, e.type, e.data, to_timestamp(e.at / 1000.0) AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset($3::jsonb) AS e(seq int, type text, data jsonb, at float8)
  WHERE EXISTS (${owned})
  RETURNING 1`

const countAndNotify = `
  SELECT count(*)::int AS inserted, pg_notify('${channels.run}', $4::text) IS NULL AS notified
  FROM inserted`

const insertAlone = (further: string) => `
WITH inserted AS (${inserted('SELECT 1 FROM runs WHERE id = $1::uuid AND "instanceId" = $2::uuid')})${further}
${countAndNotify}`

/** Records the calls that ended, for the health of tools. `place` is the number of the parameter. */
const recordCalls = (place: number) => `,
called AS (
  INSERT INTO call_records ("runId", "callId", "toolName", "userId", "configurationId", outcome, "durationMs", at)
  SELECT $1::uuid, "callId", "toolName", "userId", "configurationId", outcome, "durationMs", now() AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset($${place}::jsonb) AS c("callId" text, "toolName" text, "userId" uuid,
    "configurationId" uuid, outcome text, "durationMs" int)
  WHERE EXISTS (SELECT 1 FROM inserted)
  ON CONFLICT ("runId", "callId") DO NOTHING)`

/**
 * Returns SQL that stores native answers as text, because jsonb would change them. The numbers are those of the
 * parameters with a round, its answer, and the last round whose answer is no longer sent; 0 = none.
 */
const storeNative = (place: number) => `,
native AS (
  INSERT INTO native_answers ("runId", round, content)
  SELECT $1::uuid, $${place}::int, $${place + 1}::text
  WHERE EXISTS (SELECT 1 FROM inserted)
  ON CONFLICT ("runId", round) DO UPDATE SET content = excluded.content)`

const dropNatives = (place: number) => `,
forgotten AS (
  DELETE FROM native_answers
  WHERE "runId" = $1::uuid AND round <= $${place}::int AND EXISTS (SELECT 1 FROM inserted))`

/**
 * Inserts an approval for each call that waits, with its arguments from the journal, and voids open ones when the run
 * ends.
 */
const approvalChanges = `
requested AS (
  INSERT INTO approvals (id, "runId", "callId", round, "toolName", "argumentsText", "argumentsHash", "ruleId",
    "ruleName", status, "requestedAt", "expiresAt")
  SELECT q.id, $1::uuid, q."callId", q.round, q."toolName", asked."argumentsText", q."argumentsHash", q."ruleId",
    q."ruleName", q.status::"ApprovalStatus", to_timestamp(q."requestedAt" / 1000.0) AT TIME ZONE 'UTC',
    to_timestamp(q."expiresAt" / 1000.0) AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset($9::jsonb) AS q(id uuid, "callId" text, round int, "toolName" text,
      "argumentsHash" text, "ruleId" uuid, "ruleName" text, status text, "requestedAt" float8, "expiresAt" float8)
    CROSS JOIN LATERAL (
      SELECT c->>'argumentsText' AS "argumentsText"
      FROM run_events m CROSS JOIN LATERAL jsonb_array_elements(m.data->'toolCalls') AS c
      WHERE m."runId" = $1::uuid AND m.type = 'message' AND c->>'callId' = q."callId"
      LIMIT 1) asked
  WHERE EXISTS (SELECT 1 FROM owned)
  ON CONFLICT ("runId", "callId") DO UPDATE SET
    id = excluded.id, "argumentsHash" = excluded."argumentsHash", "ruleId" = excluded."ruleId",
    "ruleName" = excluded."ruleName", status = excluded.status, "requestedAt" = excluded."requestedAt",
    "expiresAt" = excluded."expiresAt", "decidedAt" = NULL, "decidedBy" = NULL, "decidedByLabel" = NULL,
    "editedArguments" = NULL, message = ''),
voided AS (
  UPDATE approvals SET status = 'void', "decidedAt" = now() AT TIME ZONE 'UTC'
  WHERE "runId" = $1::uuid AND status = 'pending' AND $10::bool
    AND EXISTS (SELECT 1 FROM owned)),
`

/** Settles the reservations of these calls in the statement that writes their usage records. */
const settleReservations = `
charged AS (
  SELECT r.id, r.status::text AS status, ${takenBy('u')} AS used, 'settled' AS outcome
  FROM jsonb_to_recordset($7::jsonb) AS u(id uuid, "inputTokens" bigint, "outputTokens" bigint, "costMicroUsd" bigint,
      retries int)
    JOIN budget_reservations r ON r."callId" = u.id AND r.status <> 'settled'
    JOIN budgets b ON b.id = r."budgetId"
  WHERE EXISTS (SELECT 1 FROM owned)
  ORDER BY r.id FOR UPDATE OF r),
${settlement},
`

const insertAndChange = (further: string, recorded: string) => `
WITH owned AS (
  UPDATE runs SET
    status = (CASE WHEN e."endReason" IS NOT NULL THEN 'ended'
      WHEN t.waits THEN 'waiting'
      WHEN status = 'waiting' AND EXISTS (SELECT 1 FROM approvals a
        WHERE a."runId" = $1::uuid AND a.status = 'pending') THEN 'waiting'
      ELSE 'running' END)::"RunStatus",
    "lastSeq" = t."lastSeq",
    rounds = greatest(runs.rounds, t.rounds),
    calls = runs.calls + t.calls,
    "inputTokens" = runs."inputTokens" + t."inputTokens",
    "outputTokens" = runs."outputTokens" + t."outputTokens",
    "costMicroUsd" = runs."costMicroUsd" + t."costMicroUsd",
    "endReason" = coalesce(e."endReason", runs."endReason"),
    truncated = coalesce(e.truncated, runs.truncated),
    "notStarted" = coalesce(e."notStarted", runs."notStarted"),
    "endedAt" = coalesce(to_timestamp(e."endedAt" / 1000.0) AT TIME ZONE 'UTC', runs."endedAt"),
    "durationMs" = coalesce(e."durationMs", runs."durationMs")
  FROM jsonb_to_record($5::jsonb) AS t("lastSeq" int, rounds int, calls int, "inputTokens" int,
      "outputTokens" int, "costMicroUsd" bigint, waits bool),
    jsonb_to_record($6::jsonb) AS e("endReason" text, truncated bool, "notStarted" bool, "endedAt" float8,
      "durationMs" int)
  WHERE id = $1::uuid AND "instanceId" = $2::uuid
  RETURNING 1),
inserted AS (${inserted('SELECT 1 FROM owned')}),
used AS (
  INSERT INTO usage_records (id, "runId", round, "userId", "configurationId", "connectionId", "modelRecordId",
    "modelId", "inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteTokens", "reasoningTokens",
    estimated, "costMicroUsd", "costAtMost", "unpricedTier", "reportedCostMicroUsd", "latencyMs", retries, retried, fallback, "errorCategory", at)
  SELECT id, $1::uuid, round, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    "inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteTokens", "reasoningTokens",
    estimated, "costMicroUsd", "costAtMost", "unpricedTier", "reportedCostMicroUsd", "latencyMs", retries, retried, fallback, "errorCategory", now() AT TIME ZONE 'UTC'
  FROM jsonb_to_recordset($7::jsonb) AS u(id uuid, round int, "userId" uuid, "configurationId" uuid,
    "connectionId" uuid, "modelRecordId" uuid, "modelId" text, "inputTokens" int, "outputTokens" int,
    "cachedInputTokens" int, "cacheWriteTokens" int, "reasoningTokens" int, estimated bool,
    "costMicroUsd" bigint, "costAtMost" bool, "unpricedTier" bool, "reportedCostMicroUsd" bigint, "latencyMs" int, retries int, retried bool, fallback bool, "errorCategory" text)
  WHERE EXISTS (SELECT 1 FROM owned)),
${further}removed AS (
  DELETE FROM run_events
  WHERE "runId" = $1::uuid AND seq < $8::int
    AND type IN (${deltaTypes.map((type) => `'${type}'`).join(', ')})
    AND EXISTS (SELECT 1 FROM owned))${recorded}
${countAndNotify}`

/**
 * Appends events to a run's journal. The same statement updates the run's row, its usage and call records, budgets,
 * approvals and deltas, and notifies watchers, so that all of it is stored or none. Returns false, and writes nothing,
 * when `instanceId` no longer owns the run. A `seq` that is already taken violates the primary key.
 */
export async function insertEvents(
  query: Query,
  facts: RunFacts,
  instanceId: string,
  events: RunEvent[],
  natives: NativeAnswers = noNatives,
): Promise<boolean> {
  const changes = runChanges(facts, events)
  const lasting = changes ? lastingEvents(events, changes) : events
  const values: unknown[] = [
    facts.runId,
    instanceId,
    toJson(lasting.map(({ seq, type, data, at }) => ({ seq, type, data, at }))),
    runNotice({ runId: facts.runId, seq: events.at(-1)?.seq ?? 0, writer: instanceId }),
  ]
  if (changes) values.push(...changeValues(changes))
  const places = { calls: 0, native: 0, pruned: 0 }
  const calls = callRecords(facts, events)
  if (calls.length > 0) places.calls = values.push(toJson(calls))
  const message = events.findLast((event) => event.type === 'message')
  const native = message && natives.get(message.data.round)
  if (message && native !== undefined) places.native = values.push(message.data.round, native) - 1
  const pruned = prunedThrough(events)
  if (pruned > 0) places.pruned = values.push(pruned)
  const [result] = await query(statementFor(changes, places), values)
  return result?.inserted === lasting.length
}

const noNatives: NativeAnswers = new Map()

function prunedThrough(events: readonly RunEvent[]): number {
  const rounds = events.map((event) =>
    event.type === 'warning' ? (event.data.prunedThrough ?? 0) : 0,
  )
  return Math.max(0, ...rounds)
}

function touchesApprovals({ ending, requests }: RunChanges): boolean {
  return ending !== null || requests.length > 0
}

const statements = new Map<string, string>()

/** Numbers of the parameters that only some batches have; 0 = none. */
type Places = { calls: number; native: number; pruned: number }

/** Returns the shortest statement for a batch: most have no approvals, budgets, calls or native answers. */
function statementFor(changes: RunChanges | null, places: Places): string {
  const settles = changes?.settles === true
  const approvals = changes !== null && touchesApprovals(changes)
  const { calls, native, pruned } = places
  const key = `${changes !== null}/${settles}/${approvals}/${calls}/${native}/${pruned}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const recorded = calls > 0 ? recordCalls(calls) : ''
  const beside = (native > 0 ? storeNative(native) : '') + (pruned > 0 ? dropNatives(pruned) : '')
  const further = (settles ? settleReservations : '') + (approvals ? approvalChanges : '')
  const last = recorded + beside
  const statement = changes ? insertAndChange(further, last) : insertAlone(last)
  statements.set(key, statement)
  return statement
}

function changeValues(changes: RunChanges): unknown[] {
  const { totals, ending, usage, deltasBefore, requests } = changes
  const values = [JSON.stringify(totals), JSON.stringify(ending ?? {}), toJson(usage), deltasBefore]
  return touchesApprovals(changes) ? [...values, toJson(requests), ending !== null] : values
}

function toJson(rows: unknown): string {
  const text = JSON.stringify(rows)
  return refusedEscape.test(text) ? JSON.stringify(rows, storable) : text
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
