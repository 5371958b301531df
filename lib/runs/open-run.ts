import 'server-only'
import { releaseReservation } from '@/lib/domains/budgets/release-reservations'
import { JournalLostError, type RunDeps, type StopReason } from '@/lib/engines/runtime/deps'
import { sleep } from '@/lib/engines/runtime/sleep'
import { db, type Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { foldRun } from '@/lib/protocol/fold-run'
import { loadSubject } from '@/lib/toolset/load-subject'
import { loadToolset } from '@/lib/toolset/load-toolset'
import { readCostCapChoice } from './choose-cost-cap'
import { type CallInFlight, keepLiveRun, type LiveRun } from './engine/live-runs'
import { recheckRuns } from './engine/recheck-runs'
import { runningEngine } from './engine/running-engine'
import { stopCancelledRuns } from './engine/stop-cancelled-runs'
import { openJournal } from './journal/append-run-events'
import { readDecisions } from './read-decisions'
import { reserveForRun, reserveResend } from './reserve-for-run'
import { toRunEvent } from './run-record'
import { RunRequest } from './schemas'
import { openModelStream } from './stream-model'

/** Reads and folds a run's journal and connects the loop to this installation: database, vault, providers, tools. */
export async function openRun(runId: string): Promise<LiveRun> {
  // A live run must not keep a second copy of its rows and answers in memory.
  const { events, nativeAnswers, ...run } = await db().run.findUniqueOrThrow({
    where: { id: runId },
    include: { events: { orderBy: { seq: 'asc' } }, nativeAnswers: true },
  })
  const state = foldRun(events.map(toRunEvent))
  if (!state.start || !run.instanceId)
    throw new Error(`Run ${runId} has no first event or no owner.`)
  // Another process may have claimed a run that waited.
  if (run.instanceId !== runningEngine()?.instanceId)
    throw new JournalLostError('Another process works on this run.')

  const { snapshot } = state.start
  const request = RunRequest.parse(run.request)
  const question = { runId, userId: run.userId, snapshot, selected: request.tools }
  const readSubject = (tx: Tx) => loadSubject(tx, question)
  const tools = await loadToolset()
  const controller = new AbortController()
  const stop = (reason: StopReason) => controller.abort(reason)

  const journal = openJournal({
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
    loadSubject: () => readSubject(db()),
    streamModel: openModelStream(runId),
    reserve: reserveForRun({
      runId,
      userId: run.userId,
      configurationId: snapshot.configurationId,
      instanceId: run.instanceId,
    }),
    reserveResend,
    release: releaseReservation,
    readCostCapChoice: () => readCostCapChoice(runId),
    readDecisions,
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
  keepLiveRun(runId, live)
  // Checks for a cancellation or a revoked right from before this process owned the run or read its row.
  const stopped = Promise.all([stopCancelledRuns(runId), recheckRuns()])
  if (run.cancelledBy !== null || run.status === 'waiting') await stopped
  return live
}
