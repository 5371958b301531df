import 'server-only'
import pLimit from 'p-limit'
import { lostRequest } from '@/lib/engines/runtime/spend/usage-of'
import type { Run, RunEventRow } from '@/lib/generated/prisma/client'
import { type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { queryIn, writeEntries } from '../journal/write-entries'
import { toRunEvent } from '../run-record'
import { shownOf } from './shown-answers'

/** Returns the event that records what an unfinished request may have used; null = there was none. `at` is ms since 1970. */
export function lostEvent(state: RunState, run: Left, at: number): RunEvent | null {
  const lost = lostRequest(state, shownOf(run))
  return lost && { ...lost, runId: run.id, seq: state.lastSeq + 1, at }
}

type Left = Pick<Run, 'id' | 'shownStart' | 'shownTokens'>

/**
 * Records what the unfinished requests of a dead process may have used, in its place. This comes before their
 * reservations are released, so that nobody spends the amount a second time (SPEC M2, M5). A failure for one run does
 * not prevent others from being claimed.
 */
export async function settleLostRequests({ client }: Database, instanceId: string): Promise<void> {
  const runs = await client.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r WHERE r."instanceId" = ${instanceId}::uuid AND r.status = 'running'
      AND (SELECT e.type FROM run_events e
        WHERE e."runId" = r.id
          AND e.type IN ('round-start', 'message', 'model-fallback', 'request-lost')
        ORDER BY e.seq DESC LIMIT 1) = 'round-start'`
  await pLimit(atOnce).map(runs, async ({ id }) => {
    try {
      await withTransaction((tx) => settleLostRequest(tx, id, instanceId), client)
    } catch (error) {
      const detail = { source: 'engine', runId: id, error: String(error) }
      log.warn(
        detail,
        'A request that another process left behind will be counted when its run continues',
      )
    }
  })
}

/** Maximum requests that are recorded at once, because the heartbeat waits for this. */
const atOnce = 4

/**
 * Claims the run first: events of its former process are then either read here or refused, and another process that
 * does the same finds nothing left.
 */
async function settleLostRequest(tx: Tx, id: string, instanceId: string): Promise<void> {
  const self = newId()
  const taken = await tx.run.updateMany({ where: { id, instanceId }, data: { instanceId: self } })
  if (taken.count === 0) return
  const run = await tx.run.findUniqueOrThrow({ where: { id } })
  const events = (await readLastRound(tx, id)).map(toRunEvent)
  const state = foldRun(events)
  const at = Math.max(await databaseTime(tx), events.at(-1)?.at ?? 0)
  const lost = lostEvent(state, run, at)
  if (lost && state.start) {
    const { userId } = run
    const { snapshot } = state.start
    const facts = { runId: id, userId, snapshot }
    await writeEntries(queryIn(tx), self, [{ facts, events: [lost], rowSeq: run.lastSeq }])
  }
  await tx.run.update({ where: { id }, data: { instanceId: null } })
}

/** Returns the time of the database, ms since 1970. All servers share it, so the engine that continues the run is not behind. */
async function databaseTime(tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<{ nowMs: number }[]>`
    SELECT round(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`
  if (!row) throw new Error('The database did not say its time.')
  return row.nowMs
}

/** Reads the first event and those of the last round: they show an unfinished request, however long the journal is. */
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
