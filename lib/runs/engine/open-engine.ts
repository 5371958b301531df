import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { openBudgetUpkeep } from '@/lib/domains/budgets/budget-upkeep'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { workOnRun } from '../advance-run'
import { openBudgetsInForce } from '../budgets-in-force'
import { openCachedCircuits } from '../cached-circuits'
import { openFileUpkeep } from '../files/upload-file'
import { openJournalWriter } from '../journal/journal-writer'
import { channels, openNotifications } from '../journal/notifications'
import { openRunFeed } from '../journal/run-feed'
import { openKeyReports } from '../key-reports'
import { openPolicyCache } from '../policy-cache'
import { openVersioned } from '../versioned'
import { coalesced } from './coalesced'
import type { Engine, EngineConfig } from './engine'
import {
  beatInstance,
  claimRun,
  findFreeRuns,
  findOverdueRuns,
  type Instance,
  registerInstance,
  removeDeadInstances,
  removeInstance,
} from './instances'
import { type LiveRun, type NewRun, recheckLiveRuns, stopCancelledRuns } from './live-runs'
import { openWaitingRuns } from './waiting-runs'

const maxClaimsPerBeat = 50

/**
 * Opens an engine. It works on its own runs and, as a server, on those that dead engines of its database left. Several
 * can be open in one process.
 */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  const { kind, database, launcher, times, host } = config
  const instance: Instance = { id: newId(), kind, host }
  await registerInstance(database, instance)
  const notifications = openNotifications(database.url)
  const liveRuns = new Map<string, LiveRun>()
  const recheckRuns = coalesced(() => recheckLiveRuns({ liveRuns, database }, recheckRuns))
  const workedOn = new Set<string>()
  let closing = false

  const engine: Engine = {
    ...{ instanceId: instance.id, database, times, notifications, liveRuns, recheckRuns },
    feed: openRunFeed(notifications, instance.id),
    writer: openJournalWriter(database, instance.id),
    policy: openPolicyCache(database, notifications),
    connections: openVersioned(),
    snapshots: openVersioned(),
    circuits: openCachedCircuits(database, notifications),
    budgetsInForce: openBudgetsInForce(database, notifications),
    keyReports: openKeyReports(database.pool),
    waitingRuns: openWaitingRuns(database, instance.id),
    takesSteps: () => !closing,
    start: (run) => {
      // Another engine claims runs that this one did not start.
      if (!closing) void work(run.runId, run)
    },
    applyChanges: (runId) => notifications.notifyLocally(channels.control, runId),
    close: async () => {
      if (closing) return
      closing = true
      stopBeating()
      try {
        await handOver(engine)
        // A heartbeat in flight could insert the row of this engine again, or claim what it has just released.
        await heartbeat.idle()
        await removeInstance(database, instance.id)
      } finally {
        await notifications.close()
      }
    },
  }

  /** Works on a run with at most one loop: two would share the state in memory, and each would start its calls. */
  const work = async (runId: string, created?: NewRun): Promise<'ended' | 'released'> => {
    if (workedOn.has(runId)) return 'released'
    workedOn.add(runId)
    return workOnRun(engine, runId, created).finally(() => workedOn.delete(runId))
  }
  await launcher.open((runId) => work(runId), { instanceId: instance.id, database })

  const beating = { config, instance, isWorkedOn: (runId: string) => workedOn.has(runId) }
  const heartbeat = openHeartbeat(engine, beating)
  const stopBeating = launcher.schedule(times.heartbeatMs, heartbeat.beat)
  notifications.subscribe(channels.work, heartbeat.beat)
  notifications.subscribe(channels.control, (runId) => void stopCancelledRuns(engine, runId))
  notifications.subscribe(channels.control, (runId) => void engine.waitingRuns.check(runId))
  notifications.subscribe(channels.policy, () => void engine.waitingRuns.check(''))
  notifications.subscribe(channels.policy, () => void recheckRuns())
  heartbeat.beat()
  return engine
}

type Beating = {
  config: EngineConfig
  instance: Instance
  isWorkedOn: (runId: string) => boolean
}

/** `idle` resolves when no heartbeat is in flight. */
type Heartbeat = { beat: () => void; idle: () => Promise<void> }

/** Returns what an engine calls at each heartbeat; at most one is in flight, and none begins after the close. */
function openHeartbeat(engine: Engine, beating: Beating): Heartbeat {
  const { kind, database } = beating.config
  const budgetUpkeep = openBudgetUpkeep(database)
  const fileUpkeep = openFileUpkeep(database.client)
  let inFlight: Promise<void> | null = null

  const work = async (): Promise<void> => {
    try {
      await beatInstance(database, beating.instance)
      // Notifications do this at once. This repeats it for those that were lost with a connection.
      await Promise.all([stopCancelledRuns(engine, ''), engine.recheckRuns()])
      await engine.waitingRuns.check('')
      await startOverdueRuns(engine, beating)
      if (kind === 'server' && engine.takesSteps()) {
        await claimFreeRuns(engine, beating)
        await budgetUpkeep()
        await fileUpkeep()
      }
    } catch (error) {
      log.warn({ source: 'engine', error: String(error) }, 'Heartbeat failed; trying again')
    }
  }
  return {
    beat: () => {
      if (inFlight || !engine.takesSteps()) return
      inFlight = work().finally(() => {
        inFlight = null
      })
    },
    idle: async () => {
      await inFlight
    },
  }
}

/** Starts runs whose start failed after their row was written. Their owner is alive, so no other engine claims them. */
async function startOverdueRuns(
  { instanceId, times, database }: Engine,
  { config, isWorkedOn }: Beating,
): Promise<void> {
  const overdue = await findOverdueRuns(database, instanceId, times.overdueAfterMs)
  for (const runId of overdue) if (!isWorkedOn(runId)) await config.launcher.claim(runId)
}

/** Claims runs without a living owner and continues them. */
async function claimFreeRuns(
  { instanceId, times, database }: Engine,
  { config, instance, isWorkedOn }: Beating,
): Promise<void> {
  await removeDeadInstances(database, instance, times.deadAfterMs)
  for (const runId of await findFreeRuns(database, maxClaimsPerBeat)) {
    if (!(await claimRun(database, runId, instanceId))) continue
    // Others believed that this engine was dead, but its loop still works on the run and sees that it owns it again.
    if (isWorkedOn(runId)) continue
    log.info({ source: 'engine', runId }, 'Continuing a run that another process left')
    await config.launcher.claim(runId)
  }
}

/**
 * Stops work for a hand-over. Another engine repeats model requests, so those stop at once; tool calls may end first.
 */
async function handOver(engine: Engine): Promise<void> {
  const { liveRuns, times } = engine
  for (const run of liveRuns.values()) {
    if (nextStep(run.state).type === 'call-model') run.stop({ type: 'handover' })
  }
  await untilIdle(engine, times.callsMayTakeMs)
  for (const run of liveRuns.values()) run.stop({ type: 'handover' })
  await untilIdle(engine, times.stopsMayTakeMs)
  engine.waitingRuns.release()
}

/** Resolves when no run is in memory, or after `limitMs`. */
async function untilIdle({ liveRuns }: Engine, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  while (liveRuns.size > 0 && Date.now() < deadline) await wait(20)
}
