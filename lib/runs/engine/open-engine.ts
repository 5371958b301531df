import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { newId } from '@/lib/kernel/new-id'
import { openTurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { openBudgetsInForce } from '@/lib/runs/start/budgets-in-force'
import { openPolicyCache } from '@/lib/runs/start/policy-cache'
import { openVersioned } from '@/lib/runs/start/versioned'
import { ConnectionGate } from '@/lib/runs/work/connection-gate'
import { openJournalWriter } from '../journal/journal-writer'
import { channels, openNotifications } from '../journal/notifications'
import { type Clock, siteClock } from '../journal/run-clock'
import { RunFeed } from '../journal/run-feed'
import { sendOn } from '../journal/shared-answers'
import { coalesced } from './coalesced'
import type { Engine, EngineConfig } from './engine'
import { type EngineLife, EngineUpkeep } from './engine-upkeep'
import { type Instance, registerInstance, removeInstance } from './instances'
import { type LiveRun, recheckLiveRuns } from './live-runs'
import { openPlaces } from './places'
import { RunLoops } from './run-loops'
import { openWaitingRuns } from './waiting-runs'

const defaultMostRuns = 256

/**
 * Opens an engine. It works on its own runs and, as a server, on those that dead engines of its database left. Several
 * can be open in one process.
 */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  const { kind, database, host } = config
  const instance: Instance = { id: newId(), kind, host }
  const clock = siteClock(await registerInstance(database, instance))
  const life: EngineLife = { isClosing: false, isGone: false }
  const parts = openParts(config, instance.id, life, {
    now: clock.now,
    active: () => engine.work.count - parts.waitingRuns.count(),
    claim: () => upkeep.claim(),
  })
  const engine: Engine = {
    ...parts,
    work: new RunLoops(() => engine, kind),
    applyChanges: (runId) => engine.notifications.notifyLocally(channels.control, runId),
    close: () => closeEngine(engine, life, upkeep),
  }
  const upkeep: EngineUpkeep = new EngineUpkeep({
    engine,
    config,
    instance,
    life,
    setClock: clock.set,
  })
  upkeep.start()
  return engine
}

/** `active` returns the number of runs it works on, `claim` claims runs without an owner. */
type OfRuns = { now: Clock; active: () => number; claim: () => Promise<void> }

type EngineParts = Omit<Engine, 'work' | 'applyChanges' | 'close'>

/** Opens what an engine and its runs use. */
function openParts(
  { database, times, queue, mostRuns = defaultMostRuns }: EngineConfig,
  instanceId: string,
  life: EngineLife,
  { now, active, claim }: OfRuns,
): EngineParts {
  const notifications = openNotifications(database.url)
  const liveRuns = new Map<string, LiveRun>()
  const recheckRuns = coalesced(() => recheckLiveRuns({ liveRuns, database }, recheckRuns))
  const takesSteps = () => !life.isClosing
  return {
    instanceId,
    database,
    times,
    now,
    notifications,
    liveRuns,
    recheckRuns,
    waitingRuns: openWaitingRuns(database, instanceId),
    places: openPlaces({ database, notifications, queue, mostRuns, active, takesSteps, claim }),
    feed: new RunFeed(notifications, instanceId, sendOn(database)),
    writer: openJournalWriter(database, instanceId, { retryMs: times.retryMs, goesOn: takesSteps }),
    policy: openPolicyCache(database, notifications),
    connectionGate: new ConnectionGate(database, notifications),
    snapshots: openVersioned(),
    turns: openTurnMemory(),
    tools: openVersioned(),
    budgetsInForce: openBudgetsInForce(database, notifications),
    followUps: new Set(),
    takesSteps,
  }
}

/** Hands over the runs of an engine, and closes it. */
async function closeEngine(engine: Engine, life: EngineLife, upkeep: EngineUpkeep): Promise<void> {
  if (life.isClosing) return
  life.isClosing = true
  upkeep.stopTimers()
  try {
    await handOver(engine)
    life.isGone = true
    upkeep.stopBeating()
    await engine.writer.tellAll().catch(() => undefined)
    // Pending work could insert the row of this engine again, or claim a run that it has just released.
    await Promise.all([upkeep.idle(), engine.places.check()])
    await removeInstance(engine.database, engine.instanceId)
  } finally {
    life.isGone = true
    upkeep.stopBeating()
    engine.feed.close()
    await engine.notifications.close()
  }
}

/**
 * Stops work for a hand-over. Requests and calls in flight may end first, because a request that another engine repeats is
 * paid for twice; what has begun none yet stops at once.
 */
async function handOver(engine: Engine): Promise<void> {
  const { liveRuns, times, feed } = engine
  const answered = new Set(feed.openAnswers().map(({ runId }) => runId))
  for (const [runId, run] of liveRuns) {
    const isAsking = nextStep(run.state).type === 'call-model'
    if (isAsking && !answered.has(runId)) run.stop({ type: 'handover' })
  }
  await untilIdle(engine, times.callsMayTakeMs)
  for (const run of liveRuns.values()) run.stop({ type: 'handover' })
  await untilIdle(engine, times.stopsMayTakeMs)
  engine.waitingRuns.release()
}

/** Resolves when no run is in memory and nothing follows from one that ended, or after `limitMs`. */
async function untilIdle({ liveRuns, followUps }: Engine, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  while (liveRuns.size + followUps.size > 0 && performance.now() < deadline) await wait(20)
}
