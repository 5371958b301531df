import 'server-only'
import { z } from 'zod'
import {
  Difference,
  differencesOf,
  OfferDifference,
} from '@/lib/engines/runtime/replay/differences'
import { replayRun } from '@/lib/engines/runtime/replay/replay-run'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { openTurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { requireRun } from '@/lib/runs/require-run'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { policyNow, readPolicyFacts, unreadableRights } from './policy-now'
import { isReplayable, readSizes, readStoredRuns } from './stored-runs'

/** The longest journal of one replay: no run of usual size comes near it. */
const mostSingleBytes = 32 * 1024 * 1024
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
  await requireRun(ctx, runId)
  const [run] = await readStoredRuns(db(), [runId], {
    turns: openTurnMemory(),
    sizes: await readSizes(db(), [runId]),
    mostBytes: mostSingleBytes,
  })
  if (!run) throw new NotFoundError('This run')
  if (!isReplayable(run)) return notReplayable(runId, run.why)
  const [[facts], tools] = await Promise.all([readPolicyFacts(db(), [run]), loadToolset(db())])
  if (!facts) return notReplayable(runId, unreadableRights)
  const policy = policyNow(run, facts, tools)
  if ('why' in policy) return notReplayable(runId, policy.why)
  const { before, after, ...replay } = await replayRun(run.recorded, policy)
  const differences = differencesOf(before, after)
  return {
    runId,
    result: differences.length > 0 ? 'different' : 'same',
    why: null,
    ...replay,
    differences: differences.slice(0, mostListed),
    unlisted: Math.max(0, differences.length - mostListed),
  }
}

function notReplayable(runId: string, why: string): RunReplay {
  const result = 'not-replayable'
  return { runId, result, why, frozen: null, offers: [], differences: [], unlisted: 0 }
}
