import 'server-only'
import { z } from 'zod'
import { Difference, OfferDifference } from '@/lib/engines/runtime/replay/differences'
import { replayRun } from '@/lib/engines/runtime/replay/replay-run'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { openTurnMemory, readTurns } from '@/lib/runs/conversations/earlier-turns'
import { readRun } from '@/lib/runs/read-run'
import { requireRun } from '@/lib/runs/require-run'
import { RunRequest } from '@/lib/runs/schemas'
import { readPolicy } from '@/lib/toolset/policy/load-subject'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { type BegunRun, readLimits, snapshotNow, subjectNow } from './policy-now'

/** The most differences that one replay lists. */
const mostListed = 200

/**
 * Outcome of a replay. `why`: the reason why nobody can know what today's policy would do; null unless `not-replayable`. `offers`:
 * the tools that the run would begin with otherwise, which alone is no difference of it. `unlisted`: differences after the
 * listed ones.
 */
export const RunReplay = z.object({
  runId: z.string(),
  result: z.enum(['same', 'different', 'not-replayable']),
  why: z.string().nullable(),
  /** The freeze that would stop every run now; the differences leave it out. */
  frozen: z.object({ by: z.string(), reason: z.string() }).nullable(),
  offers: z.array(OfferDifference),
  differences: z.array(Difference),
  unlisted: z.int(),
})
export type RunReplay = z.infer<typeof RunReplay>

/**
 * Returns what would differ in a run with the rights, rules and limits of today (SPEC C2). Calls no model and no tool, and
 * writes nothing. One replay of a person is worked on at a time. Throws NotFoundError for a run that the caller may not see,
 * and ConflictError when too many replays of the person wait.
 */
export function readReplay(ctx: Ctx, runId: string): Promise<RunReplay> {
  return inTurn(ctx.actor.userId, () => replayNow(ctx, runId))
}

const mostWaiting = 10
/** The last replay of each person, and how many have not ended. */
const turns = new Map<string, { last: Promise<unknown>; count: number }>()

/** Does the work after all earlier work of the same person. Throws ConflictError when too much of it waits. */
async function inTurn<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const { last, count } = turns.get(userId) ?? { last: Promise.resolve(), count: 0 }
  if (count >= mostWaiting)
    throw new ConflictError('Ten replays of yours have not ended. Wait for one, and try again.')
  const done = last.then(work)
  const settled = done.catch(() => undefined)
  turns.set(userId, { last: settled, count: count + 1 })
  try {
    return await done
  } finally {
    const turn = turns.get(userId)
    if (turn && turn.count > 1) turns.set(userId, { ...turn, count: turn.count - 1 })
    else turns.delete(userId)
  }
}

async function replayNow(ctx: Ctx, runId: string): Promise<RunReplay> {
  const [row, { events }] = await Promise.all([requireRun(ctx, runId), readRun(ctx, runId)])
  const start = startOf(events)
  const request = RunRequest.parse(row.request)
  const why = start ? obstacleOf(events, request) : 'Its journal has no beginning.'
  if (!start || why !== null) return notReplayable(runId, why)
  const { snapshot, continues } = start
  const { userId, apiKeyId } = row
  const question = { runId, userId, apiKeyId, snapshot, selected: request.tools }
  const [{ state }, tools, earlier, limits, natives, keyWords] = await Promise.all([
    readPolicy(db(), question),
    loadToolset(db()),
    readTurns(db(), openTurnMemory(), continues),
    snapshot.configurationId ? readLimits(db(), snapshot.configurationId, row.createdAt) : null,
    readNatives(runId),
    readEndedKey(db(), apiKeyId),
  ])
  const begun: BegunRun = { start, request, apiKeyId }
  const now = snapshotNow(begun, state, limits)
  if (!now) return notReplayable(runId, roundsUnknown)
  const { revoked, ...rights } = subjectNow(state, now, begun)
  const subject = { ...rights, revoked: { ...revoked, run: revoked.run ?? keyWords } }
  const starts = await readStarts(runId, [...subject.rates.keys()], events)
  if (!starts) return notReplayable(runId, tooManyStarts)
  const { differences, ...replay } = await replayRun(
    { runId, events, nativeOf: (round) => natives.get(round) ?? null, earlier },
    { subject, tools, snapshot: now, startsOf: (name) => starts.get(name) ?? [] },
  )
  return {
    runId,
    result: differences.length > 0 ? 'different' : 'same',
    why: null,
    ...replay,
    differences: differences.slice(0, mostListed),
    unlisted: Math.max(0, differences.length - mostListed),
  }
}

const roundsUnknown =
  'The history of its configuration does not say whether its rounds were set for this run alone.'
const tooManyStarts = 'While it ran, too many calls of tools with a limit began to count them.'

function notReplayable(runId: string, why: string | null): RunReplay {
  const result = 'not-replayable'
  return { runId, result, why, frozen: null, offers: [], differences: [], unlisted: 0 }
}

function startOf([first]: readonly RunEvent[]) {
  return first?.type === 'run-start' ? first.data : null
}

/** Returns why a run cannot be replayed; null = it can. */
function obstacleOf(events: readonly RunEvent[], { kind }: RunRequest): string | null {
  if (kind === 'model-test') return 'It tests a model, which no policy decides.'
  if (!events.some(({ type }) => type === 'run-end')) return 'The run has not ended.'
  const hasGap = events.some(
    ({ type, data }) => type === 'warning' && data.code === 'database-went-back',
  )
  return hasGap ? 'The database was restored while it ran, so its journal has a gap.' : null
}

async function readNatives(runId: string): Promise<Map<number, string>> {
  const rows = await db().nativeAnswer.findMany({ where: { runId } })
  return new Map(rows.map(({ round, content }) => [round, content]))
}

/** Returns why a key starts no runs any more, as a sentence; null = it does, or there is none. */
async function readEndedKey(tx: Tx, apiKeyId: string | null): Promise<string | null> {
  const key = apiKeyId && (await tx.apiKey.findUnique({ where: { id: apiKeyId } }))
  if (!key) return null
  const { name, revokedAt, expiresAt, pausedAt } = key
  if (revokedAt) return `The API key ${name} was revoked.`
  if (expiresAt && expiresAt <= new Date()) return `The API key ${name} has expired.`
  return pausedAt && `The API key ${name} is paused.`
}

const Started = z.object({ name: z.string(), at: z.date() })

/** More starts than this are not counted one by one. */
const mostStarts = 100_000

/**
 * Reads when other runs started calls of limited tools while this run was under way, and in the minute before: ms since 1970,
 * in order. Null: there are too many.
 */
async function readStarts(
  runId: string,
  names: readonly string[],
  events: readonly RunEvent[],
): Promise<ReadonlyMap<string, readonly number[]> | null> {
  const first = events.at(0)?.at
  const last = events.at(-1)?.at
  if (names.length === 0 || first === undefined || last === undefined) return new Map()
  const since = new Date(first - 60_000)
  const rows = await db().$queryRaw<unknown[]>`
    SELECT e.data->>'name' AS name, e.at FROM runs r
    JOIN run_events e ON e."runId" = r.id AND e.type = 'call-start' AND e.data->>'name' = ANY(${names})
    WHERE r.id <> ${runId}::uuid AND r.calls > 0 AND r."createdAt" <= ${new Date(last)}
      AND (r."endedAt" IS NULL OR r."endedAt" >= ${since}) AND e.at BETWEEN ${since} AND ${new Date(last)}
    ORDER BY e.at LIMIT ${mostStarts + 1}`
  const starts = z.array(Started).parse(rows)
  if (starts.length > mostStarts) return null
  const byName = new Map<string, number[]>()
  for (const { name, at } of starts) {
    const times = byName.get(name)
    if (times) times.push(at.getTime())
    else byName.set(name, [at.getTime()])
  }
  return byName
}
