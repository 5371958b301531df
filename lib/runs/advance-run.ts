import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { advance } from '@/lib/engines/runtime/advance'
import { HandoverError } from '@/lib/engines/runtime/deps'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import type { RightsQuestion } from '@/lib/toolset/load-subject'
import { endBrokenRun } from './engine/end-broken-run'
import { dropLiveRun, type LiveRun, liveRuns, takesSteps } from './engine/live-runs'
import { runningEngine } from './engine/running-engine'
import { approvalIdsOf, waitUntilWoken } from './engine/waiting-runs'
import { openRun } from './open-run'

export type Advanced = 'again' | 'ended' | 'released'

const retryMs = 1_000
/** A run ends after this many failed steps in a row (SPEC R16). */
const maxFaults = 5
const faults = new Map<string, number>()
/** Runs that were woken to record something and have not done a step since. */
const woken = new Set<string>()

/**
 * Does one step of a run and returns whether more follow; `released` = this process no longer works on it. A run that
 * waits for a person keeps nothing in memory meanwhile. Never throws: after a database fault it waits until the
 * database answers, and continues from the journal.
 */
export async function advanceRun(runId: string): Promise<Advanced> {
  if (!takesSteps()) {
    dropLiveRun(runId)
    return 'released'
  }
  try {
    const live = liveRuns.get(runId) ?? (await openRun(runId))
    const before = live.state
    live.state = await advance(before, live.deps)
    faults.delete(runId)
    const recordedNothing = woken.delete(runId) && live.state === before
    if (nextStep(live.state).type === 'wait')
      return await waitForPeople(runId, live, recordedNothing)
    if (!live.state.end) return 'again'
    dropLiveRun(runId)
    return 'ended'
  } catch (error) {
    woken.delete(runId)
    dropLiveRun(runId)
    if (error instanceof HandoverError) return 'released'
    return recoverRun(runId, error)
  }
}

/**
 * Waits for people without keeping the run in memory. After a step that recorded nothing, it pauses first, because the
 * same reason would wake the run again at once.
 */
async function waitForPeople(
  runId: string,
  live: LiveRun,
  recordedNothing: boolean,
): Promise<Advanced> {
  const { state } = live
  dropLiveRun(runId)
  if (recordedNothing) await wait(retryMs)
  const engine = runningEngine()
  if (!engine) return 'released'
  await waitUntilWoken(runId, {
    approvalIds: approvalIdsOf(state),
    instanceId: engine.instanceId,
    rights: rightsOf(live),
  })
  woken.add(runId)
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
      ...{ connectionId, connectionName, modelRecordId, modelId },
    })),
  }
  return { userId: question.userId, run, target }
}

/** Waits until the database answers, then continues the run only if its row still names this process. */
async function recoverRun(runId: string, cause: unknown): Promise<Advanced> {
  log.error(
    { source: 'engine', runId, error: String(cause) },
    'The work on a run failed; trying again',
  )
  for (;;) {
    await wait(retryMs)
    try {
      const run = await db().run.findUnique({ where: { id: runId } })
      // A deleted run counts as ended.
      if (!run || run.status === 'ended') return 'ended'
      const engine = runningEngine()
      if (!engine || run.instanceId !== engine.instanceId) return 'released'
      const count = (faults.get(runId) ?? 0) + 1
      faults.set(runId, count)
      if (count < maxFaults) return 'again'
      faults.delete(runId)
      await endBrokenRun(run, cause)
      return 'ended'
    } catch (error) {
      log.error(
        { source: 'engine', runId, error: String(error) },
        'Cannot read the run; trying again',
      )
    }
  }
}
