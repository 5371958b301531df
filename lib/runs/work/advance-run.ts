import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { confirmToolCalling } from '@/lib/domains/models/confirm-tool-calling'
import { asksInText } from '@/lib/engines/runtime/ask/prompted-mode'
import { HandoverError } from '@/lib/engines/runtime/deps'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { advance } from '@/lib/engines/runtime/run-agent'
import { isOutage } from '@/lib/kernel/database-errors'
import { log } from '@/lib/kernel/log'
import { advanceCheckRunOf } from '@/lib/runs/checks/advance-check-run'
import { endBrokenRun } from '@/lib/runs/engine/end-broken-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { LiveRun, NewRun } from '@/lib/runs/engine/live-runs'
import { approvalIdsOf } from '@/lib/runs/engine/waiting-runs'
import { type KnownRun, unknownRun } from '@/lib/runs/journal/written-events'
import { advancePanel } from '@/lib/runs/panels/advance-panel'
import type { RightsQuestion } from '@/lib/toolset/policy/load-subject'
import { openNewRun, openRun } from './open-run'

/** A run ends after this many failed steps in a row (SPEC R16). */
const maxFaults = 5

/** The work of one engine on one run. */
type Work = {
  engine: Engine
  runId: string
  /** Failed steps in a row. */
  faults: number
  /** It waited for approval and has made no step since. */
  continued: boolean
  /** Events that this process stored when it created the run, until the run is opened. */
  created?: NewRun | undefined
  known: KnownRun
}

/**
 * Advances a run until it ends; `released` = this engine no longer works on it. A run that waits for a person keeps
 * nothing in memory meanwhile. Never rejects: after a database fault it waits until the database answers, and continues
 * from the journal.
 */
export async function workOnRun(
  engine: Engine,
  runId: string,
  created?: NewRun,
): Promise<'ended' | 'released'> {
  const work: Work = {
    engine,
    runId,
    faults: 0,
    continued: false,
    created,
    known: unknownRun(),
  }
  for (;;) {
    const advanced = await advanceRun(work)
    if (advanced !== 'again') return advanced
  }
}

type Advanced = 'again' | 'ended' | 'released'

async function advanceRun(work: Work): Promise<Advanced> {
  const { engine, runId } = work
  const { liveRuns } = engine
  try {
    if (!engine.takesSteps()) return await release(work)
    const live = liveRuns.get(runId) ?? (await open(work))
    const before = live.state
    live.state = await advance(before, live.deps, (state) => {
      live.state = state
      work.faults = 0
      return engine.takesSteps()
    })
    work.faults = 0
    const recordedNothing = work.continued && live.state === before
    work.continued = false
    if (nextStep(live.state).type === 'wait')
      return await waitForPeople(work, live, recordedNothing)
    if (!live.state.end) return 'again'
    liveRuns.delete(runId)
    engine.turns.keep({ runId, state: live.state, nativeOf: live.deps.journal.nativeOf })
    beginNext(engine, live)
    confirmToolCalls(engine, live)
    return 'ended'
  } catch (error) {
    work.continued = false
    liveRuns.delete(runId)
    if (error instanceof HandoverError) return 'released'
    return recoverRun(work, error)
  }
}

/** Begins the roles, or the tries of a check, whose turn it is after this one. What fails is tried again with the upkeep of servers. */
function beginNext(engine: Engine, { state, deps: { runId } }: LiveRun): void {
  const { panelId, panelRole, check, judges } = state.start ?? {}
  if (check ?? judges)
    follow(engine, advanceCheckRunOf(engine, runId), 'Cannot begin the next try of a check')
  if (panelId === undefined || panelRole === undefined) return
  follow(engine, advancePanel(engine, panelId), 'Cannot begin the next roles')
}

/** Stores of models that it was not known of that they call tools: the answers of this run have calls of theirs. */
function confirmToolCalls(engine: Engine, { state }: LiveRun): void {
  const { snapshot } = state.start ?? {}
  const ids = state.rounds.flatMap(({ calls, response }) => {
    const target = response && snapshot?.targets[response.target]
    if (target?.toolCalling !== 'unconfirmed' || calls.length === 0) return []
    return !snapshot || asksInText(snapshot, target) ? [] : [target.modelRecordId]
  })
  if (ids.length > 0)
    follow(engine, confirmToolCalling(ids), 'Cannot store that a model calls tools')
}

function follow(engine: Engine, work: Promise<void>, message: string): void {
  const followed: Promise<void> = work
    .catch((error: unknown) => log.warn({ source: 'runs', error: String(error) }, message))
    .finally(() => engine.followUps.delete(followed))
  engine.followUps.add(followed)
}

/** Opens a run: as this process has just created it, or from the database. */
function open(work: Work): Promise<LiveRun> {
  const { engine, runId, created, known } = work
  work.created = undefined
  return created ? openNewRun(engine, created, known) : openRun(engine, runId, known)
}

/** Leaves a run to another process, with everything that it did here in its journal. */
async function release({ engine: { liveRuns }, runId }: Work): Promise<'released'> {
  await liveRuns.get(runId)?.deps.journal.flush()
  liveRuns.delete(runId)
  return 'released'
}

/**
 * Waits for people without keeping the run in memory. After a step that recorded nothing, it pauses first, because the
 * same reason would end the wait at once.
 */
async function waitForPeople(
  work: Work,
  live: LiveRun,
  recordedNothing: boolean,
): Promise<Advanced> {
  const { engine, runId } = work
  const { state } = live
  engine.liveRuns.delete(runId)
  if (recordedNothing) await wait(engine.times.retryMs)
  if (!engine.takesSteps()) return 'released'
  await engine.waitingRuns.wait(runId, {
    approvalIds: approvalIdsOf(state),
    rights: rightsOf(live),
  })
  work.continued = true
  // The clock of the machine may have been set right meanwhile.
  work.known.now = null
  return 'again'
}

/**
 * Returns what the rights of a waiting run are checked with, without its prompt and skills, to save memory (ADR 008).
 */
function rightsOf({ question, state, target }: LiveRun): RightsQuestion {
  if (!state.start) throw new Error('The journal has no run-start event.')
  const { configurationId, configurationName, task, targets } = state.start.snapshot
  const run = {
    configurationId,
    configurationName,
    task,
    targets: targets.map(({ connectionId, connectionName, modelRecordId, modelId }) => ({
      connectionId,
      connectionName,
      modelRecordId,
      modelId,
    })),
  }
  const { userId, apiKeyId, accessEpoch = null, freezes } = question
  return { userId, apiKeyId, run, target, accessEpoch, freezes }
}

const goneWords =
  'A run that this process worked on is not in the database any more: it was deleted, or the database went back to an earlier state'

/** Waits until the database answers, then continues the run only if its row still names this engine. */
async function recoverRun(work: Work, cause: unknown): Promise<Advanced> {
  const { engine, runId } = work
  log.error(
    { source: 'engine', runId, error: String(cause) },
    'The work on a run failed; trying again',
  )
  for (;;) {
    await wait(engine.times.retryMs)
    if (!engine.takesSteps()) return 'released'
    try {
      const run = await engine.database.client.run.findUnique({ where: { id: runId } })
      if (!run) log.warn({ source: 'engine', runId }, goneWords)
      // A deleted run counts as ended.
      if (!run || run.status === 'ended') return 'ended'
      if (run.instanceId !== engine.instanceId) return 'released'
      // A run that meets many outages is as sound as one that meets none.
      if (!isOutage(cause)) work.faults += 1
      if (work.faults < maxFaults) return 'again'
      work.faults = 0
      await endBrokenRun(engine, run, cause)
      return 'ended'
    } catch (error) {
      log.error(
        { source: 'engine', runId, error: String(error) },
        'Cannot read the run; trying again',
      )
    }
  }
}
