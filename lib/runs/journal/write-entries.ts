import 'server-only'
import { settlement } from '@/lib/domains/budgets/settlement-sql'
import type { Database, Tx } from '@/lib/kernel/db'
import { currentPolicy } from '@/lib/kernel/locks'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { channels } from './notifications'
import { callRecords, observedRules, type RunFacts, runChanges } from './run-changes'
import { runNotice } from './run-notice'
import {
  approvalChanges,
  callRecordsOf,
  charged,
  entry,
  forgotten,
  inserted,
  lockRuns,
  nativeAnswers,
  observations,
  ownership,
  usageRecords,
} from './write-steps'

/** Events of one run that are stored together, all or none. */
export type Entry = {
  facts: RunFacts
  events: RunEvent[]
  /** `lastSeq` of the row of the run, which most events leave as it is. */
  rowSeq: number
  /** The native answer that is stored beside a message of these events. */
  native?: { round: number; content: string } | null
  /** The version of the policy that decided a start among them; they are stored only while it is the current one. */
  policyVersion?: string | null
}

/** `lost` = another process owns the run, or events before these are not in the journal any more. `policy-changed` = the version is not the current one any more. */
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
  const observed = parts.flatMap((part) => part.observed)
  const natives = parts.flatMap(({ native }) => native ?? [])
  const requests = parts.flatMap((part) => part.requests)
  const shape: Shape = {
    locks: parts.filter(({ row }) => row.locks).length > 1,
    proves: entries.some(({ policyVersion }) => policyVersion != null),
    usage: usage.length > 0,
    settles: parts.some(({ settles }) => settles),
    calls: calls.length > 0,
    observes: observed.length > 0,
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
    ...(shape.observes ? [toJson(observed)] : []),
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
function partOf({ facts, events, rowSeq, native, policyVersion = null }: Entry) {
  const { runId } = facts
  const changes = runChanges(facts, events)
  const ofRun = (row: object) => ({ ...row, runId })
  const calls = callRecords(facts, events).map(ofRun)
  const row = {
    runId,
    policyVersion,
    prunedThrough: prunedThrough(events),
    firstSeq: events[0]?.seq ?? 0,
    rowSeq,
    // A trigger notes calls on the row of their run.
    locks: changes !== null || calls.length > 0,
    ...changes?.totals,
    ...changes?.ending,
  }
  return {
    row: row as typeof row & { endReason?: string },
    events: events.map(({ seq, type, data, at }) => ({ runId, seq, type, data, at })),
    usage: changes?.usage.map(ofRun) ?? [],
    settles: changes?.settles ?? false,
    requests: changes?.requests.map(ofRun) ?? [],
    calls,
    observed: observedRules(events).map(ofRun),
    native: native ? { ...native, runId } : null,
  }
}

function prunedThrough(events: readonly RunEvent[]): number {
  const rounds = events.map((event) =>
    event.type === 'warning' ? (event.data.prunedThrough ?? 0) : 0,
  )
  return Math.max(0, ...rounds)
}

/**
 * Optional parts of a batch. Most have neither approvals nor budgets nor native answers, and take a shorter statement.
 */
type Shape = Record<
  | 'locks'
  | 'proves'
  | 'usage'
  | 'settles'
  | 'calls'
  | 'natives'
  | 'approvals'
  | 'observes'
  | 'forgets',
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

function textFor(shape: Shape): string {
  const { locks, proves, usage, settles, calls, natives, approvals, observes, forgets } = shape
  let places = 4
  const next = () => `$${++places}::jsonb`
  const [usagePlace, callsPlace] = [usage ? next() : '', calls ? next() : '']
  const [nativesPlace, approvalsPlace] = [natives ? next() : '', approvals ? next() : '']
  const steps = [
    ...(proves ? [currentPolicy] : []),
    entry,
    ...(locks ? [lockRuns('SELECT "runId" FROM entry WHERE locks')] : []),
    ownership(proves, locks),
    inserted,
    ...(usage ? [usageRecords(usagePlace)] : []),
    ...(settles ? [charged(usagePlace), settlement] : []),
    ...(calls ? [callRecordsOf(callsPlace)] : []),
    ...(natives ? [nativeAnswers(nativesPlace)] : []),
    ...(approvals ? [approvalChanges(approvalsPlace)] : []),
    ...(forgets ? [forgotten] : []),
    ...(observes ? [observations(next())] : []),
  ]
  return `WITH ${steps.join(',\n')}
SELECT e."runId"::text AS "runId", o.id IS NOT NULL AS "isOwned",
  ${proves ? '(SELECT version::text FROM policy)' : 'NULL'} AS version,
  (SELECT CASE WHEN $4::text IS NOT NULL THEN pg_notify('${channels.run}', $4::text) IS NULL END) AS notified
FROM entry e LEFT JOIN owned o ON o.id = e."runId"`
}

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
