import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { deliverNotices } from '@/lib/domains/approvals/deliver-notices'
import { deliverBackupAlerts } from '@/lib/domains/backups/deliver-backup-alerts'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import { releaseLeftBehind } from '@/lib/domains/budgets/release-reservations'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import type { SendToChannel } from '@/lib/domains/channels/shared/delivery'
import { openDelivery } from '@/lib/domains/rows/deliver-messages'
import { deliverSignInAlerts } from '@/lib/domains/users/sign-in-alerts'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { openTurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { advancePanels } from '@/lib/runs/panels/advance-panel'
import { openBudgetsInForce } from '@/lib/runs/start/budgets-in-force'
import { openPolicyCache } from '@/lib/runs/start/policy-cache'
import { openVersioned } from '@/lib/runs/start/versioned'
import { workOnRun } from '@/lib/runs/work/advance-run'
import { ConnectionGate } from '@/lib/runs/work/connection-gate'
import { openJournalWriter } from '../journal/journal-writer'
import { channels, openNotifications } from '../journal/notifications'
import { RunFeed } from '../journal/run-feed'
import { sendOn } from '../journal/shared-answers'
import { claimCalledRun } from '../places'
import { coalesced } from './coalesced'
import type { Engine, EngineConfig } from './engine'
import {
  claimRuns,
  findOverdueRuns,
  type Instance,
  openHeartbeats,
  registerInstance,
  removeDeadInstances,
  removeInstance,
} from './instances'
import {
  firstEvent,
  type LiveRun,
  type NewRun,
  recheckLiveRuns,
  stopCancelledRuns,
} from './live-runs'
import { openPlaces } from './places'
import { openShownAnswers } from './shown-answers'
import { openWaitingRuns } from './waiting-runs'

/** So few that servers that claim at the same time share what is free. */
const claimedAtOnce = 10
const defaultMostRuns = 256

/**
 * Opens an engine. It works on its own runs and, as a server, on those that dead engines of its database left. Several
 * can be open in one process.
 */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  const { kind, database, times, host } = config
  const instance: Instance = { id: newId(), kind, host }
  await registerInstance(database, instance)
  const notifications = openNotifications(database.url)
  const liveRuns = new Map<string, LiveRun>()
  const recheckRuns = coalesced(() => recheckLiveRuns({ liveRuns, database }, recheckRuns))
  const workedOn = new Set<string>()
  let closing = false
  /** What it worked on while it closed is over: others may take its runs. */
  let isGone = false
  const waitingRuns = openWaitingRuns(database, instance.id)
  const takesSteps = () => !closing
  const places = openPlaces({
    ...{ database, notifications, queue: config.queue, takesSteps },
    mostRuns: config.mostRuns ?? defaultMostRuns,
    active: () => workedOn.size - waitingRuns.count(),
    claim: () => claim(),
  })

  const engine: Engine = {
    ...{ instanceId: instance.id, database, times, notifications, liveRuns, recheckRuns },
    feed: new RunFeed(notifications, instance.id, sendOn(database)),
    writer: openJournalWriter(database, instance.id, {
      retryMs: times.retryMs,
      goesOn: () => !closing,
    }),
    policy: openPolicyCache(database, notifications),
    connectionGate: new ConnectionGate(database, notifications),
    snapshots: openVersioned(),
    turns: openTurnMemory(),
    tools: openVersioned(),
    budgetsInForce: openBudgetsInForce(database, notifications),
    ...{ followUps: new Set(), waitingRuns, places, takesSteps },
    start: (run) => {
      // Another engine claims runs that this one did not start.
      if (closing) return
      engine.feed.begin(run.userId, firstEvent(run))
      void work(run.runId, run)
    },
    begin: async (runId) => {
      // One that closes leaves the run to any other.
      if (!(await claimCalledRun(database, runId, closing ? null : instance.id))) return
      places.begun(runId)
      if (!closing) void work(runId)
    },
    applyChanges: (runId) => notifications.notifyLocally(channels.control, runId),
    close: async () => {
      if (closing) return
      closing = true
      for (const stop of timers) stop()
      try {
        await handOver(engine)
        isGone = true
        stopBeating()
        await engine.writer.tellAll().catch(() => undefined)
        // What is in flight could insert the row of this engine again, or claim what it has just released.
        await Promise.all([beat(), storeShown(), upkeep(), tidyUp(), claim(), places.check()])
        await removeInstance(database, instance.id)
      } finally {
        isGone = true
        stopBeating()
        engine.feed.close()
        await notifications.close()
      }
    },
  }

  /** Works on a run with at most one loop: two would share the state in memory, and each would start its calls. */
  const work = async (runId: string, created?: NewRun): Promise<'ended' | 'released'> => {
    if (workedOn.has(runId)) return 'released'
    workedOn.add(runId)
    return workOnRun(engine, runId, created).finally(() => {
      workedOn.delete(runId)
      engine.feed.leave(runId)
      places.left(runId)
    })
  }
  const beating = { config, instance, isWorkedOn: (runId: string) => workedOn.has(runId), work }
  const whenOpen = (part: () => Promise<void>, name: string, isOver = () => closing) =>
    coalesced(async () => {
      try {
        if (!isOver()) await part()
      } catch (error) {
        log.warn({ source: 'engine', error: String(error) }, `${name} failed; trying again`)
      }
    })
  let mustClaimAgain = false
  const claim = whenOpen(async () => {
    mustClaimAgain = true
    mustClaimAgain = !(await claimFreeRuns(engine, beating))
  }, 'A claim of runs')
  const upkeep = whenOpen(async () => {
    await Promise.all([stopCancelledRuns(engine, ''), engine.recheckRuns()])
    await engine.waitingRuns.check('')
    await places.repeat()
    if (mustClaimAgain) void claim()
  }, 'The upkeep')
  const tidyUp = whenOpen(openTidyUp(engine, beating), 'Tidying up')
  const heartbeats = openHeartbeats(
    notifications,
    instance,
    times.deadAfterMs,
    () => (closing ? 0 : places.room()),
    config.onNewerSchema,
  )
  const storeShown = whenOpen(
    openShownAnswers(database, instance.id, () => engine.feed.openAnswers()),
    'Storing what was shown',
    () => isGone,
  )
  // Others take the runs of an engine that is silent, so it says that it is alive until it has let go of all of them.
  const beat = whenOpen(
    async () => {
      void storeShown()
      const dead = await heartbeats.beat()
      // The next heartbeat does not wait for this.
      if (kind === 'server' && !closing) void removeDead(dead)
    },
    'A heartbeat',
    () => isGone,
  )
  const removeDead = async (dead: string[]): Promise<void> => {
    if (dead.length === 0) return
    try {
      await removeDeadInstances(database, dead)
      await config.onDead?.()
      // It may have died between two roles, where nobody claims a run.
      await advancePanels(engine)
    } catch (error) {
      log.warn({ source: 'engine', error: String(error) }, 'Cannot remove a dead process')
    }
  }
  const stopBeating = config.every(times.heartbeatMs, beat)
  const timers = [
    config.every(times.lookMs, () => {
      if (kind === 'server') void removeDead(heartbeats.findGone())
    }),
    config.every(times.repeatMs, upkeep),
    config.every(times.tidyMs, tidyUp),
    config.every(times.tidyMs, claim),
  ]
  notifications.subscribe(channels.work, () => void claim())
  notifications.subscribe(channels.control, () => void places.check())
  notifications.subscribe(channels.policy, () => void places.check())
  notifications.subscribe(channels.control, (runId) => void stopCancelledRuns(engine, runId))
  notifications.subscribe(channels.control, (runId) => void engine.waitingRuns.check(runId))
  notifications.subscribe(channels.policy, () => void engine.waitingRuns.check(''))
  notifications.subscribe(channels.policy, () => void recheckRuns())
  void beat()
  void upkeep()
  void tidyUp()
  void claim()
  return engine
}

type Beating = {
  config: EngineConfig
  instance: Instance
  isWorkedOn: (runId: string) => boolean
  work: (runId: string) => Promise<unknown>
}

/** Returns what an engine does now and then, because nobody waits for it. */
function openTidyUp(engine: Engine, beating: Beating): () => Promise<void> {
  const { kind, database } = beating.config
  const send: SendToChannel = (channelId, message) =>
    sendToChannel(database.client, channelId, message)
  const beginSending = [
    deliverAlerts,
    deliverNotices,
    deliverSignInAlerts,
    deliverBackupAlerts,
  ].map((deliver) => openDelivery(database, deliver, send))
  return async () => {
    await startOverdueRuns(engine, beating)
    if (kind !== 'server') return
    await releaseLeftBehind(database.pool)
    await advancePanels(engine)
    for (const begin of beginSending) begin()
  }
}

/** Starts runs whose start failed after their row was written. Their owner is alive, so no other engine claims them. */
async function startOverdueRuns(
  { instanceId, times, database }: Engine,
  { isWorkedOn, work }: Beating,
): Promise<void> {
  const overdue = await findOverdueRuns(database, instanceId, times.overdueAfterMs)
  for (const runId of overdue) if (!isWorkedOn(runId)) void work(runId)
}

/** Claims runs without a living owner and continues them. Returns false when there may be more than it has room for. */
async function claimFreeRuns(
  engine: Engine,
  { config: { kind, database }, isWorkedOn, work }: Beating,
): Promise<boolean> {
  if (kind !== 'server') return true
  for (;;) {
    const room = Math.min(claimedAtOnce, engine.places.room())
    if (room === 0) return false
    const release = engine.places.hold(room)
    const claimed = await claimRuns(database, engine.instanceId, room).finally(release)
    for (const runId of claimed) {
      // Others believed that this engine was dead, but its loop still works on the run and sees that it owns it again.
      if (isWorkedOn(runId)) continue
      log.info({ source: 'engine', runId }, 'Continuing a run that another process left')
      void work(runId)
    }
    if (claimed.length === 0 || !engine.takesSteps()) return true
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
