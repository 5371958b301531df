import 'server-only'
import { releaseReservation } from '@/lib/domains/budgets/release-reservations'
import { JournalLostError, type RunDeps, type StopReason } from '@/lib/engines/runtime/deps'
import { sleep } from '@/lib/engines/runtime/sleep'
import type { Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { foldRun } from '@/lib/protocol/fold-run'
import { loadSubject } from '@/lib/toolset/load-subject'
import { loadToolset } from '@/lib/toolset/load-toolset'
import type { Engine } from './engine/engine'
import { type CallInFlight, type LiveRun, stopCancelledRuns } from './engine/live-runs'
import { openJournal } from './journal/append-run-events'
import { readCostCapChoice, readDecisions } from './read-decisions'
import { reserveForRun, reserveResend } from './reserve-for-run'
import { toRunEvent } from './run-record'
import { RunRequest } from './schemas'
import { openModelStream } from './stream-model'

/**
 * Reads and folds a run's journal and connects the loop to its engine: database, vault, providers, tools. Rejects with
 * JournalLostError when another engine works on it.
 */
export async function openRun(engine: Engine, runId: string): Promise<LiveRun> {
  const { client, pool } = engine.database
  // A live run must not keep a second copy of its rows and answers in memory.
  const { events, nativeAnswers, ...run } = await client.run.findUniqueOrThrow({
    where: { id: runId },
    include: { events: { orderBy: { seq: 'asc' } }, nativeAnswers: true },
  })
  const state = foldRun(events.map(toRunEvent))
  if (!state.start || !run.instanceId)
    throw new Error(`Run ${runId} has no first event or no owner.`)
  // Another process may have claimed a run that waited.
  if (run.instanceId !== engine.instanceId)
    throw new JournalLostError('Another process works on this run.')

  const { snapshot } = state.start
  const request = RunRequest.parse(run.request)
  const question = { runId, userId: run.userId, snapshot, selected: request.tools }
  const readSubject = (tx: Tx) => loadSubject(tx, question)
  const tools = await loadToolset(client)
  const controller = new AbortController()
  const stop = (reason: StopReason) => controller.abort(reason)

  const journal = openJournal({
    database: engine.database,
    feed: engine,
    facts: { runId, userId: run.userId, snapshot, createdAt: run.createdAt.getTime() },
    instanceId: run.instanceId,
    lastSeq: state.lastSeq,
    natives: new Map(nativeAnswers.map(({ round, content }) => [round, content])),
    readSubject,
    onRequest: (target) => {
      live.target = target
    },
  })
  const deps: RunDeps = {
    runId,
    tools,
    journal,
    loadSubject: () => readSubject(client),
    streamModel: openModelStream(engine, runId),
    reserve: reserveForRun(
      pool,
      {
        runId,
        userId: run.userId,
        configurationId: snapshot.configurationId,
        instanceId: run.instanceId,
      },
      engine.budgetsInForce,
    ),
    reserveResend: reserveResend(pool),
    release: (reservationId) => releaseReservation(pool, reservationId),
    readCostCapChoice: () => readCostCapChoice(client, runId),
    readDecisions: (waiting) => readDecisions(client, waiting),
    signal: controller.signal,
    watchTool: (toolName) => {
      const call: CallInFlight = { tool: tools.get(toolName), controller: new AbortController() }
      live.calls.add(call)
      return { signal: call.controller.signal, release: () => void live.calls.delete(call) }
    },
    reportIncident: (incidentId, detail) =>
      log.error(
        { source: 'run', incidentId, runId, userId: run.userId, detail },
        'An unexpected error happened in a run',
      ),
    now: Date.now,
    sleep,
    random: Math.random,
    newId,
  }
  const target = state.rounds.at(-1)?.target ?? 0
  const live: LiveRun = { state, deps, question, target, calls: new Set(), stop }
  engine.liveRuns.set(runId, live)
  // Checks for a cancellation or a revoked right from before this process owned the run or read its row.
  const stopped = Promise.all([stopCancelledRuns(engine, runId), engine.recheckRuns()])
  if (run.cancelledBy !== null || run.status === 'waiting') await stopped
  return live
}
