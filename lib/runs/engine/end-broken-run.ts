import 'server-only'
import type { Run } from '@/lib/generated/prisma/client'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { applyRunEvent, foldRun, ownRounds } from '@/lib/protocol/run/fold-run'
import { hasAnswer } from '@/lib/protocol/run/round-view'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { runClock } from '../journal/run-clock'
import { queryPool, writeEntries } from '../journal/write-entries'
import { toRunEvent } from '../run-record'
import type { Engine } from './engine'
import { lostEvent } from './settle-lost-requests'

/** Appends `run-end` to a run that cannot be continued, so that nobody waits for it (SPEC R16). */
export async function endBrokenRun(engine: Engine, run: Run, cause: unknown): Promise<void> {
  const { database } = engine
  const rows = await database.client.runEventRow.findMany({
    where: { runId: run.id },
    orderBy: { seq: 'asc' },
  })
  const journal = rows.map(toRunEvent)
  const found = foldRun(journal)
  const at = runClock(journal.at(-1)?.at ?? 0, engine.now)()
  const lost = lostEvent(found, run, at)
  const state = lost ? applyRunEvent(found, lost) : found
  if (!state.start || !run.instanceId)
    throw new Error(`Run ${run.id} has no first event or no owner.`)
  const { instanceId } = run
  const incidentId = newId()
  log.error(
    { source: 'engine', incidentId, runId: run.id, error: String(cause) },
    'A run cannot continue',
  )

  const end: RunEvent = {
    runId: run.id,
    seq: state.lastSeq + 1,
    at,
    type: 'run-end',
    data: {
      reason: 'internal-error',
      truncated: hasAnswer(ownRounds(state)),
      message: `Toolgate could not continue this run. The server log has the details under incident ${incidentId}.`,
      failure: null,
      usage: state.usage,
      costMicroUsd: state.costMicroUsd,
      wallTimeMs: at - run.createdAt.getTime(),
    },
  }
  const events = lost ? [lost, end] : [end]
  const facts = {
    runId: run.id,
    userId: run.userId,
    snapshot: state.start.snapshot,
  }
  const [written] = await writeEntries(queryPool(database), instanceId, [
    { facts, events, rowSeq: run.lastSeq },
  ])
  if (written === 'written') engine.feed.publish(events)
}
