import 'server-only'
import { JournalLostError } from '@/lib/engines/runtime/deps'
import { log } from '@/lib/kernel/log'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import {
  firstEvent,
  type LiveRun,
  type NewRun,
  stopCancelledRuns,
} from '@/lib/runs/engine/live-runs'
import { shownOf } from '@/lib/runs/engine/shown-answers'
import { afterGoingBack, type KnownRun, noteWritten } from '@/lib/runs/journal/written-events'
import { toRunEvent } from '@/lib/runs/run-record'
import { RunRequest } from '@/lib/runs/schemas'
import { stopChildRuns } from './child-runs'
import { connectRun } from './connect-run'

/** Opens a run that this process just created, without reading it. Nobody could cancel it before. */
export async function openNewRun(engine: Engine, run: NewRun, known: KnownRun): Promise<LiveRun> {
  const version = await engine.policy.version()
  const first = firstEvent(run)
  noteWritten(known.written, [first])
  return connectRun(
    engine,
    {
      ...run,
      known,
      lastAt: first.at,
      rowSeq: first.seq,
      state: foldRun([first]),
      natives: new Map(),
    },
    version,
  )
}

/**
 * Reads and folds a run's journal and connects the loop to its engine: database, vault, providers, tools. Rejects with
 * JournalLostError when another engine works on it. `known`: what this process knows of it.
 */
export async function openRun(engine: Engine, runId: string, known: KnownRun): Promise<LiveRun> {
  // A live run must not keep a second copy of its rows and answers in memory.
  const { events, nativeAnswers, ...run } = await engine.database.client.run.findUniqueOrThrow({
    where: { id: runId },
    include: { events: { orderBy: { seq: 'asc' } }, nativeAnswers: true },
  })
  const journal = events.map(toRunEvent)
  const state = foldRun(journal)
  if (!state.start || !run.instanceId)
    throw new Error(`Run ${runId} has no first event or no owner.`)
  // Another process may have claimed a run that waited.
  if (run.instanceId !== engine.instanceId)
    throw new JournalLostError('Another process works on this run.')
  // No process works on its calls any more, so nobody waits for what they started.
  if (mayHaveChildren(state)) await stopChildRuns(engine.database.client, { parentRunId: runId })
  const stored = {
    runId,
    userId: run.userId,
    apiKeyId: run.apiKeyId,
    accessEpoch: run.accessEpoch,
    freezes: run.freezes,
    known,
    lastAt: journal.at(-1)?.at ?? 0,
    rowSeq: run.lastSeq,
    state,
    createdAt: run.createdAt,
    request: RunRequest.parse(run.request),
    shown: shownOf(run),
    natives: new Map(nativeAnswers.map(({ round, content }) => [round, content])),
  }
  // Another process stored it, perhaps after a change that this one has not been told yet.
  const version = await engine.policy.version(engine.database.client)
  const live = await connectRun(engine, stored, version)
  const back = afterGoingBack(known.written, state)
  if (back) await goBack(engine, live, back)
  else noteWritten(known.written, journal)
  // Checks for a cancellation or a revoked right from before this process owned the run or read its row.
  const stopped = Promise.all([stopCancelledRuns(engine, runId), engine.recheckRuns()])
  if (run.cancelledBy !== null || run.status === 'waiting') await stopped
  return live
}

/** Lets a run go on from the journal of a database that went back, or ends it. */
async function goBack(
  engine: Engine,
  live: LiveRun,
  { events, reason }: NonNullable<ReturnType<typeof afterGoingBack>>,
): Promise<void> {
  const { runId, journal } = live.deps
  log.error(
    { source: 'engine', runId, lastSeq: live.state.lastSeq },
    'The database went back to an earlier state; a run goes on from what is left of its journal',
  )
  // Followers have seen events that are not there any more.
  engine.feed.leave(runId)
  live.state = foldRun(
    events.map((body) => journal.append(body)),
    live.state,
  )
  if (reason !== null) live.stop({ type: 'went-back', reason })
  await journal.flush()
}

/** Returns whether a write was under way when its process left the run. */
function mayHaveChildren({ rounds }: RunState): boolean {
  const calls = rounds.at(-1)?.calls ?? []
  return calls.some(({ state }) => state.type === 'running' && state.effect === 'write')
}
