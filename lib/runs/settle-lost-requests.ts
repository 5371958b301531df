import 'server-only'
import { db, type Tx, withTransaction } from '@/lib/db'
import type { RunEventRow } from '@/lib/generated/prisma/client'
import { log } from '@/lib/log'
import { newId } from '@/lib/new-id'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import type { RunEvent } from '@/lib/protocol/run-event'
import { lostRequest } from '@/lib/runtime/lost-request'
import { inLanes } from './in-lanes'
import { askIn, insertEvents } from './insert-events'
import { toRunEvent } from './run-record'

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
  const runs = await db().$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r WHERE r."instanceId" = ${instanceId}::uuid AND r.status = 'running'
      AND (SELECT e.type FROM run_events e
        WHERE e."runId" = r.id
          AND e.type IN ('round-start', 'message', 'model-fallback', 'request-lost')
        ORDER BY e.seq DESC LIMIT 1) = 'round-start'`
  await inLanes(runs, lanes, async ({ id }) => {
    try {
      await withTransaction((tx) => settleLostRequest(tx, id, instanceId))
    } catch (error) {
      const detail = { source: 'engine', runId: id, error: String(error) }
      log.warn(
        detail,
        'A request that another process left behind will be counted when its run continues',
      )
    }
  })
}

/** The heartbeat waits for this, so it is not to last. */
const lanes = 4

/**
 * Takes the run for itself first: what its process still had to say is then either read here or refused, and another one
 * that does the same finds nothing left to do.
 */
async function settleLostRequest(tx: Tx, id: string, instanceId: string): Promise<void> {
  const self = newId()
  const taken = await tx.run.updateMany({ where: { id, instanceId }, data: { instanceId: self } })
  if (taken.count === 0) return
  const run = await tx.run.findUniqueOrThrow({ where: { id } })
  const state = foldRun((await readLastRound(tx, id)).map(toRunEvent))
  const lost = lostEvent(state, id, Date.now())
  if (lost && state.start) {
    const { userId, createdAt } = run
    const { snapshot } = state.start
    const facts = { runId: id, userId, snapshot, createdAt: createdAt.getTime() }
    await insertEvents(askIn(tx), facts, self, [lost])
  }
  await tx.run.update({ where: { id }, data: { instanceId: null } })
}

/** Its first event and those of its last round: what is under way follows from them, however long the journal is. */
async function readLastRound(tx: Tx, runId: string): Promise<RunEventRow[]> {
  const begun = await tx.runEventRow.findFirst({
    where: { runId, type: 'round-start' },
    orderBy: { seq: 'desc' },
    select: { seq: true },
  })
  return tx.runEventRow.findMany({
    where: { runId, OR: [{ seq: 1 }, { seq: { gte: begun?.seq ?? 1 } }] },
    orderBy: { seq: 'asc' },
  })
}
