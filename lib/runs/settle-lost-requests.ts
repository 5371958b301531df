import 'server-only'
import { db } from '@/lib/db'
import { log } from '@/lib/log'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import type { RunEvent } from '@/lib/protocol/run-event'
import { lostRequest } from '@/lib/runtime/lost-request'
import { askPool, insertEvents } from './insert-events'
import { toRunEvent } from './run-record'
import { tellWatchers } from './tell-watchers'

/** The event that says what the request under way may have used; null = none was. `at` is ms since 1970. */
export function lostEvent(state: RunState, runId: string, at: number): RunEvent | null {
  const lost = lostRequest(state)
  return lost && { ...lost, runId, seq: state.lastSeq + 1, at }
}

/**
 * Writes down what the requests of a process may have used that is no more, in the place of that process: before what
 * budgets held for them is given back, so that nobody spends it a second time (SPEC M2, M5). What cannot be written for
 * one run keeps nobody from taking over the others.
 */
export async function settleLostRequests(instanceId: string): Promise<void> {
  const runs = await db().run.findMany({
    where: { instanceId, status: 'running' },
    select: { id: true, userId: true, createdAt: true },
  })
  // One after the other: their journals may be long, and this is nobody's answer.
  for (const run of runs) {
    try {
      await settleLostRequest(run, instanceId)
    } catch (error) {
      // A place that is taken: another process saw the same and was faster.
      if (isPlaceTaken(error)) continue
      const detail = { source: 'engine', runId: run.id, error: String(error) }
      log.warn(detail, 'Cannot count the request that a process left behind')
    }
  }
}

type LeftRun = { id: string; userId: string; createdAt: Date }

async function settleLostRequest(
  { id: runId, userId, createdAt }: LeftRun,
  instanceId: string,
): Promise<void> {
  const rows = await db().runEventRow.findMany({ where: { runId }, orderBy: { seq: 'asc' } })
  const state = foldRun(rows.map(toRunEvent))
  const lost = lostEvent(state, runId, Date.now())
  if (!lost || !state.start) return
  const facts = { runId, userId, snapshot: state.start.snapshot, createdAt: createdAt.getTime() }
  if (await insertEvents(askPool, facts, instanceId, [lost])) tellWatchers([lost])
}

function isPlaceTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
