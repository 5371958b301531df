import 'server-only'
import { releaseReservation } from '@/lib/domains/budgets/release-reservations'
import type { NativeAnswers } from '@/lib/engines/runtime/ask/native-answers'
import { recordedTools } from '@/lib/engines/runtime/call/recorded-tools'
import {
  orJournalLost,
  type RunDeps,
  type ShownAnswer,
  type StopReason,
} from '@/lib/engines/runtime/deps'
import { after } from '@/lib/engines/runtime/sleep'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { resultSources } from '@/lib/protocol/run/result-sources'
import {
  readChildCost,
  readCostCapChoice,
  readDecisions,
  readPanelCapChoice,
  readPanelCost,
} from '@/lib/runs/approvals/read-decisions'
import { readTurns } from '@/lib/runs/conversations/earlier-turns'
import type { Engine } from '@/lib/runs/engine/engine'
import type { CallInFlight, LiveRun, NewRun } from '@/lib/runs/engine/live-runs'
import { type Clock, runClock } from '@/lib/runs/journal/run-clock'
import { RunJournal } from '@/lib/runs/journal/run-journal'
import type { KnownRun } from '@/lib/runs/journal/written-events'
import { reserveForRun, reserveResend } from '@/lib/runs/start/reserve-for-run'
import { openTryStream } from '@/lib/runs/start/try-run'
import { readTools } from '@/lib/runs/start/versioned'
import type { SubjectQuestion } from '@/lib/toolset/policy/load-subject'
import { bindTools } from '@/lib/toolset/tools/load-toolset'
import { childRuns } from './child-runs'
import { type RetryPolicy, waitOut } from './wait-out'

/** A run as it is stored, or as this process has just created it. */
export type StoredRun = Omit<NewRun, 'start'> & {
  known: KnownRun
  /** The time of its last event. */
  lastAt: number
  rowSeq: number
  state: RunState
  natives: NativeAnswers
  shown?: ShownAnswer
}

type Start = NonNullable<RunState['start']>

/** Connects the loop to the engine for this run, and keeps it among the live runs. Its tools are those of that policy, or newer. */
export async function connectRun(
  engine: Engine,
  run: StoredRun,
  toolsVersion: string,
): Promise<LiveRun> {
  const { runId, state } = run
  const { start } = state
  if (!start) throw new Error(`Run ${runId} has no first event.`)
  const { client } = engine.database
  const installed = await readTools(engine, toolsVersion, client)
  const earlier = await readTurns(client, engine.turns, start.continues)
  const bound = bindTools(installed, client, {
    since: state.startedAt ?? run.createdAt.getTime(),
    runs: (caller) => childRuns(engine, live, caller),
  })
  const sources = resultSources(start)
  const tools = sources ? recordedTools(bound, sources, state) : bound
  const controller = new AbortController()
  const calls: LiveRun['calls'] = new Set()
  const deps: RunDeps = {
    runId,
    tools,
    earlier,
    shown: run.shown,
    ...connectStorage(engine, run, start, { live: () => live, signal: controller.signal }),
    ...connectSpending(engine, run, start),
    readDecisions: (waiting) => readDecisions(client, waiting),
    signal: controller.signal,
    watchTool: (toolName, callId) => watchCall(calls, { callId, tool: tools.get(toolName) }),
    reportIncident: (incidentId, detail) => reportIncident(run, incidentId, detail),
    after,
    random: Math.random,
    newId,
  }
  const live: LiveRun = {
    state,
    deps,
    question: questionOf(run, start),
    target: state.rounds.at(-1)?.target ?? 0,
    calls,
    stop: (reason: StopReason) => controller.abort(reason),
  }
  engine.liveRuns.set(runId, live)
  return live
}

/** Writes details of a failure in a run to the server log. */
export function reportIncident(
  { runId, userId }: Pick<NewRun, 'runId' | 'userId'>,
  incidentId: string,
  detail: unknown,
): void {
  log.error(
    { source: 'run', incidentId, runId, userId, detail },
    'An unexpected error happened in a run',
  )
}

/** Returns what the policy is asked with for a run. */
export function questionOf(
  run: Omit<NewRun, 'start' | 'createdAt'>,
  { snapshot }: Pick<Start, 'snapshot'>,
): LiveRun['question'] {
  const { runId, userId, apiKeyId, accessEpoch, freezes, request } = run
  return { runId, userId, apiKeyId, accessEpoch, freezes, snapshot, selected: request.tools }
}

/** `live`: the run once it is connected. `signal` aborts when it stops. */
type Connected = { live: () => LiveRun; signal: AbortSignal }

/** Connects the journal of a run, its policy and its models, which wait together while the database is away. */
function connectStorage(
  engine: Engine,
  run: StoredRun,
  { snapshot }: Start,
  { live, signal }: Connected,
): Pick<RunDeps, 'journal' | 'now' | 'loadSubject' | 'streamModel'> {
  const { runId, userId } = run
  const now = clockOf(run, engine.now)
  let policyVersion = ''
  const patience: RetryPolicy = {
    retryMs: engine.times.retryMs,
    unreadableMs: engine.times.unreadableMs,
    goesOn: () => engine.takesSteps() && !signal.aborted,
  }
  const question = () => questionNow(live())
  const journal = new RunJournal({
    database: engine.database,
    instanceId: engine.instanceId,
    writer: engine.writer,
    feed: engine.feed,
    facts: { runId, userId, snapshot },
    lastSeq: run.state.lastSeq,
    rowSeq: run.rowSeq,
    written: run.known.written,
    now,
    natives: run.natives,
    policy: engine.policy,
    patience,
    question,
    onRequest: (target, version) => {
      live().target = target
      policyVersion = version
    },
  })
  const access = { runId, patience, policyVersion: () => policyVersion }
  return {
    journal,
    now,
    loadSubject: async () => {
      const reading = waitOut(() => engine.policy.read(question()), patience)
      return (await orJournalLost(reading, 'The policy')).subject
    },
    streamModel: snapshot.isTry ? openTryStream() : engine.connectionGate.openStream(access),
  }
}

/** Returns the clock of a run, whose time is never before its last event. */
function clockOf({ known, lastAt }: StoredRun, now: Clock): Clock {
  if (!known.now || known.now() < lastAt) known.now = runClock(lastAt, now)
  return known.now
}

/**
 * Returns what the gates must know now. Approvals that may count now are no part of the policy, so they are read each time:
 * those of the round that is worked on, and those that cover the rest of the run.
 */
function questionNow({ question, state: { rounds }, deps }: LiveRun): SubjectQuestion {
  const approved = rounds.some((round) =>
    round.calls.some(({ approval }) => approval && (approval.once || round === rounds.at(-1))),
  )
  return { ...question, runId: approved ? deps.runId : null }
}

/** Connects the budgets and cost caps of a run, its panel and the runs that it starts. */
function connectSpending(engine: Engine, run: StoredRun, { snapshot, panelId }: Start) {
  const { client, pool } = engine.database
  const { instanceId } = engine
  const { runId, userId, apiKeyId } = run
  const { configurationId } = snapshot
  return {
    reserve: reserveForRun(
      pool,
      { runId, userId, apiKeyId, configurationId, instanceId },
      engine.budgetsInForce,
      panelId !== undefined && run.state.rounds.length === 0,
    ),
    reserveResend: reserveResend(pool),
    release: (reservationId: string) => releaseReservation(pool, reservationId),
    ...(panelId && {
      readPanelCost: () => readPanelCost(client, { panelId, runId }),
      readPanelCapChoice: () => readPanelCapChoice(client, panelId),
    }),
    readChildCost: () => readChildCost(client, runId),
    readCostCapChoice: () => readCostCapChoice(client, runId),
  }
}

/** Keeps a call among those in flight until it is released. */
function watchCall(
  calls: LiveRun['calls'],
  watched: Omit<CallInFlight, 'controller'>,
): ReturnType<RunDeps['watchTool']> {
  const call: CallInFlight = { ...watched, controller: new AbortController() }
  calls.add(call)
  return { signal: call.controller.signal, release: () => void calls.delete(call) }
}
