import 'server-only'
import { z } from 'zod'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import { Difference, OfferDifference } from '@/lib/engines/runtime/replay/differences'
import { type LimitsNow, replayRun } from '@/lib/engines/runtime/replay/replay-run'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { CostCap } from '@/lib/protocol/cost/money'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { openTurnMemory, readTurns } from '@/lib/runs/conversations/earlier-turns'
import { readRun } from '@/lib/runs/read-run'
import { requireRun } from '@/lib/runs/require-run'
import { RunRequest } from '@/lib/runs/schemas'
import { loadSubject } from '@/lib/toolset/policy/load-subject'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'

/**
 * Outcome of a replay. `why`: the reason why nobody can know what today's policy would do; null unless `not-replayable`. `offers`:
 * the tools that the run would begin with otherwise, which alone is no difference of it.
 */
export const RunReplay = z.object({
  runId: z.string(),
  result: z.enum(['same', 'different', 'not-replayable']),
  why: z.string().nullable(),
  /** The freeze that would stop every run now; the differences leave it out. */
  frozen: z.object({ by: z.string(), reason: z.string() }).nullable(),
  offers: z.array(OfferDifference),
  differences: z.array(Difference),
})
export type RunReplay = z.infer<typeof RunReplay>

/**
 * Returns what would differ in a run with the rights, rules and limits of today (SPEC C2). Calls no model and no tool, and
 * writes nothing. Throws NotFoundError for a run that the caller may not see.
 */
export async function readReplay(ctx: Ctx, runId: string): Promise<RunReplay> {
  const [row, { events }] = await Promise.all([requireRun(ctx, runId), readRun(ctx, runId)])
  const start = startOf(events)
  const why = start ? obstacleOf(events) : 'Its journal has no beginning.'
  if (!start || why !== null)
    return { runId, result: 'not-replayable', why, frozen: null, offers: [], differences: [] }
  const { snapshot, continues } = start
  const { userId, apiKeyId } = row
  const selected = RunRequest.parse(row.request).tools
  const [subject, tools, earlier, limits, natives] = await Promise.all([
    loadSubject(db(), { runId, userId, apiKeyId, snapshot, selected }),
    loadToolset(db()),
    readTurns(db(), openTurnMemory(), continues),
    limitsNow(snapshot, row.createdAt),
    readNatives(runId),
  ])
  const startsOf = await readStarts(runId, [...subject.rates.keys()], events)
  const replay = await replayRun(
    { runId, events, nativeOf: (round) => natives.get(round) ?? null, earlier },
    { subject, tools, limits, startsOf },
  )
  const result = replay.differences.length > 0 ? 'different' : 'same'
  return { runId, result, why: null, ...replay }
}

function startOf([first]: readonly RunEvent[]) {
  return first?.type === 'run-start' ? first.data : null
}

/** Returns why a run cannot be replayed; null = it can. */
function obstacleOf(events: readonly RunEvent[]): string | null {
  const end = events.findLast(({ type }) => type === 'run-end')
  return end ? null : 'The run has not ended.'
}

async function readNatives(runId: string): Promise<Map<number, string>> {
  const rows = await db().nativeAnswer.findMany({ where: { runId } })
  return new Map(rows.map(({ round, content }) => [round, content]))
}

/** The fields of a configuration that limit its runs, as its versions keep them. */
const Limits = z.object({
  maxRounds: z.int(),
  timeLimitMs: z.int(),
  costCapMicroUsd: z.coerce.number().nullable(),
  costCapMode: z.enum(['off', 'warn', 'enforce']),
})
type Limits = z.infer<typeof Limits>

/**
 * Returns the limits that the run would have now: what changed in its configuration since it began counts as it is now, and the
 * rest as the run had it, because its person may have set it. Null: the configuration is gone.
 */
async function limitsNow(snapshot: RunSnapshot, startedAt: Date): Promise<LimitsNow | null> {
  const { configurationId } = snapshot
  if (configurationId === null) return null
  const [row, version, site] = await Promise.all([
    db().configuration.findUnique({ where: { id: configurationId } }),
    db().configurationVersion.findFirst({
      where: { configurationId, createdAt: { lte: startedAt } },
      orderBy: { version: 'desc' },
    }),
    readRunLimits(db()),
  ])
  if (!row) return null
  const now = Limits.parse(row)
  const then = Limits.safeParse(version?.data).data ?? now
  const rounds = then.maxRounds === now.maxRounds ? snapshot.maxRounds : now.maxRounds
  const caps = snapshot.costCaps.filter(({ scope }) => scope !== 'configuration')
  return {
    maxRounds: Math.min(rounds, site.maxRounds),
    timeLimitMs: then.timeLimitMs === now.timeLimitMs ? snapshot.timeLimitMs : now.timeLimitMs,
    costCaps: [...capOf(now), ...caps],
  }
}

function capOf({ costCapMicroUsd, costCapMode: mode }: Limits): CostCap[] {
  if (costCapMicroUsd === null || mode === 'off') return []
  return [{ scope: 'configuration', mode, limitMicroUsd: costCapMicroUsd }]
}

const Started = z.object({ name: z.string(), at: z.date() })

/** Reads when other runs started calls of limited tools while this run was under way, and in the minute before. */
async function readStarts(
  runId: string,
  names: readonly string[],
  events: readonly RunEvent[],
): Promise<(toolName: string) => readonly number[]> {
  const first = events.at(0)?.at
  const last = events.at(-1)?.at
  if (names.length === 0 || first === undefined || last === undefined) return () => []
  const since = new Date(first - 60_000)
  const rows = await db().$queryRaw<unknown[]>`
    SELECT e.data->>'name' AS name, e.at FROM runs r
    JOIN run_events e ON e."runId" = r.id AND e.type = 'call-start' AND e.data->>'name' = ANY(${names})
    WHERE r.id <> ${runId}::uuid AND r.calls > 0 AND r."createdAt" <= ${new Date(last)}
      AND (r."endedAt" IS NULL OR r."endedAt" >= ${since}) AND e.at BETWEEN ${since} AND ${new Date(last)}
    ORDER BY e.at LIMIT ${mostStarts}`
  const starts = z.array(Started).parse(rows)
  return (toolName) => starts.flatMap(({ name, at }) => (name === toolName ? [at.getTime()] : []))
}

/** More starts than this are no longer counted one by one: the limit is reached long before. */
const mostStarts = 100_000
