import 'server-only'
import { releaseReservation } from '@/lib/domains/budgets/release-reservations'
import type { NativeAnswers } from '@/lib/engines/runtime/ask/native-answers'
import {
  JournalLostError,
  orJournalLost,
  type RunDeps,
  type ShownAnswer,
  type StopReason,
} from '@/lib/engines/runtime/deps'
import { after } from '@/lib/engines/runtime/sleep'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import {
  readChildCost,
  readCostCapChoice,
  readDecisions,
  readPanelCapChoice,
  readPanelCost,
} from '@/lib/runs/approvals/read-decisions'
import { readTurns } from '@/lib/runs/conversations/earlier-turns'
import type { Engine } from '@/lib/runs/engine/engine'
import {
  type CallInFlight,
  firstEvent,
  type LiveRun,
  type NewRun,
  stopCancelledRuns,
} from '@/lib/runs/engine/live-runs'
import { shownOf } from '@/lib/runs/engine/shown-answers'
import { runClock } from '@/lib/runs/journal/run-clock'
import { openJournal } from '@/lib/runs/journal/run-journal'
import { afterGoingBack, type KnownRun, noteWritten } from '@/lib/runs/journal/written-events'
import { toRunEvent } from '@/lib/runs/run-record'
import { RunRequest } from '@/lib/runs/schemas'
import { reserveForRun, reserveResend } from '@/lib/runs/start/reserve-for-run'
import { openTryStream } from '@/lib/runs/start/try-run'
import { readTools } from '@/lib/runs/start/versioned'
import { bindTools } from '@/lib/toolset/tools/load-toolset'
import { childRuns, stopChildRuns } from './child-runs'
import { openModelStream } from './stream-model'
import { type Patience, waitOut } from './wait-out'

/** Opens a run that this process just created, without reading it. Nobody could cancel it before. */
export async function openNewRun(engine: Engine, run: NewRun, known: KnownRun): Promise<LiveRun> {
  const version = await engine.policy.version()
  const first = firstEvent(run)
  noteWritten(known.written, [first])
  return connect(
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
  const live = await connect(engine, stored, version)
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

type Stored = Omit<NewRun, 'start'> & {
  known: KnownRun
  /** The time of its last event. */
  lastAt: number
  rowSeq: number
  state: RunState
  natives: NativeAnswers
  shown?: ShownAnswer
}

/** Connects the loop to the engine for this run, and keeps it among the live runs. Its tools are those of that policy, or newer. */
async function connect(engine: Engine, run: Stored, toolsVersion: string): Promise<LiveRun> {
  const { runId, userId, apiKeyId, request, createdAt, state, natives, shown } = run
  if (!state.start) throw new Error(`Run ${runId} has no first event.`)
  const { client, pool } = engine.database
  const { instanceId } = engine
  const { snapshot, panelId } = state.start
  const question = {
    runId,
    userId,
    apiKeyId,
    accessEpoch: run.accessEpoch,
    freezes: run.freezes,
    snapshot,
    selected: request.tools,
  }
  const installed = await readTools(engine, toolsVersion, client)
  const earlier = await readTurns(client, engine.turns, state.start.continues)
  const tools = bindTools(installed, client, {
    since: state.startedAt ?? createdAt.getTime(),
    runs: (caller) => childRuns(engine, live, caller),
  })
  const { known, lastAt } = run
  if (!known.now || known.now() < lastAt) known.now = runClock(lastAt)
  const { now } = known
  const controller = new AbortController()
  const stop = (reason: StopReason) => controller.abort(reason)
  let policyVersion = ''
  const patience: Patience = {
    retryMs: engine.times.retryMs,
    unreadableMs: engine.times.unreadableMs,
    goesOn: () => engine.takesSteps() && !controller.signal.aborted,
  }

  const questionNow = () => {
    // Approvals that may count now are no part of the policy, so they are read each time: those of the round that is worked
    // on, and those that cover the rest of the run.
    const { rounds } = live.state
    const approved = rounds.some((round) =>
      round.calls.some(({ approval }) => approval && (approval.once || round === rounds.at(-1))),
    )
    return { ...question, runId: approved ? runId : null }
  }

  const journal = openJournal({
    database: engine.database,
    instanceId,
    writer: engine.writer,
    feed: engine.feed,
    facts: { runId, userId, snapshot, createdAt: createdAt.getTime() },
    lastSeq: state.lastSeq,
    rowSeq: run.rowSeq,
    written: known.written,
    now,
    natives,
    policy: engine.policy,
    patience,
    question: questionNow,
    onRequest: (target, version) => {
      live.target = target
      policyVersion = version
    },
  })
  const deps: RunDeps = {
    runId,
    tools,
    journal,
    earlier,
    shown,
    loadSubject: async () => {
      const reading = waitOut(() => engine.policy.read(questionNow()), patience)
      return (await orJournalLost(reading, 'The policy')).subject
    },
    streamModel: snapshot.isTry
      ? openTryStream()
      : openModelStream(engine, { runId, patience, policyVersion: () => policyVersion }),
    reserve: reserveForRun(
      pool,
      { runId, userId, apiKeyId, configurationId: snapshot.configurationId, instanceId },
      engine.budgetsInForce,
      panelId !== undefined && state.rounds.length === 0,
    ),
    reserveResend: reserveResend(pool),
    release: (reservationId) => releaseReservation(pool, reservationId),
    ...(panelId && {
      readPanelCost: () => readPanelCost(client, { panelId, runId }),
      readPanelCapChoice: () => readPanelCapChoice(client, panelId),
    }),
    readChildCost: () => readChildCost(client, runId),
    readCostCapChoice: () => readCostCapChoice(client, runId),
    readDecisions: (waiting) => readDecisions(client, waiting),
    signal: controller.signal,
    watchTool: (toolName, callId) => {
      const tool = tools.get(toolName)
      const call: CallInFlight = { callId, tool, controller: new AbortController() }
      live.calls.add(call)
      return { signal: call.controller.signal, release: () => void live.calls.delete(call) }
    },
    reportIncident: (incidentId, detail) =>
      log.error(
        { source: 'run', incidentId, runId, userId, detail },
        'An unexpected error happened in a run',
      ),
    now,
    after,
    random: Math.random,
    newId,
  }
  const target = state.rounds.at(-1)?.target ?? 0
  const live: LiveRun = { state, deps, question, target, calls: new Set(), stop }
  engine.liveRuns.set(runId, live)
  return live
}
