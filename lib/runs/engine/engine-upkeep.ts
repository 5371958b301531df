import 'server-only'
import { deliverNotices } from '@/lib/domains/approvals/deliver-notices'
import { deliverBackupAlerts } from '@/lib/domains/backups/deliver-backup-alerts'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import { releaseLeftBehind } from '@/lib/domains/budgets/release-reservations'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import type { SendToChannel } from '@/lib/domains/channels/shared/delivery'
import { openDelivery } from '@/lib/domains/rows/deliver-messages'
import { deliverSignInAlerts } from '@/lib/domains/users/sign-in-alerts'
import { log } from '@/lib/kernel/log'
import { advanceCheckRuns } from '@/lib/runs/checks/advance-check-run'
import { advancePanels } from '@/lib/runs/panels/advance-panel'
import { channels } from '../journal/notifications'
import type { ClockReading } from '../journal/run-clock'
import { coalesced } from './coalesced'
import type { Engine, EngineConfig } from './engine'
import {
  type Heartbeats,
  type Instance,
  type InstanceKind,
  openHeartbeats,
  removeDeadInstances,
} from './instances'
import { stopCancelledRuns } from './live-runs'
import { openShownAnswers } from './shown-answers'

/** Progress of closing an engine. `isGone`: its work has ended, so others may take its runs. */
export type EngineLife = { isClosing: boolean; isGone: boolean }

type UpkeepOptions = {
  engine: Engine
  config: EngineConfig
  instance: Instance
  life: EngineLife
  /** Takes a reading of the database's clock. */
  setClock: (reading: ClockReading) => void
}

type Task = () => Promise<void>

/** The repeated work of one engine: heartbeats, claims, checks, and what notifications may have lost. */
export class EngineUpkeep {
  readonly claim: Task
  readonly #parts: UpkeepOptions
  readonly #heartbeats: Heartbeats
  readonly #beat: Task
  readonly #storeShown: Task
  readonly #upkeep: Task
  readonly #tidyUp: Task
  #mustClaimAgain = false
  #stopBeating: () => void = () => undefined
  #stopTimers: (() => void)[] = []

  constructor(parts: UpkeepOptions) {
    const { engine, config, instance, life, setClock } = parts
    this.#parts = parts
    this.#heartbeats = openHeartbeats(engine.notifications, instance, engine.times.deadAfterMs, {
      room: () => (life.isClosing ? 0 : engine.places.room()),
      onNewerSchema: config.onNewerSchema,
      onTime: setClock,
    })
    const openAnswers = () => engine.feed.openAnswers()
    const storeShown = openShownAnswers(engine.database, instance.id, openAnswers)
    const isClosing = () => life.isClosing
    const isGone = () => life.isGone
    this.claim = backgroundTask(isClosing, () => this.#claimFree(), 'A claim of runs')
    this.#upkeep = backgroundTask(isClosing, () => this.#checkAll(), 'The upkeep')
    this.#tidyUp = backgroundTask(isClosing, openTidyUp(engine, config.kind), 'Tidying up')
    this.#storeShown = backgroundTask(isGone, storeShown, 'Storing what was shown')
    // Others take the runs of an engine that is silent, so it says that it is alive until it has let go of all of them.
    this.#beat = backgroundTask(isGone, () => this.#beatOnce(), 'A heartbeat')
  }

  /** Does everything now, at its intervals, and when others notify. */
  start(): void {
    this.#startTimers()
    this.#listen()
    void this.#beat()
    void this.#upkeep()
    void this.#tidyUp()
    void this.claim()
  }

  /** Stops everything but the heartbeat. */
  stopTimers(): void {
    for (const stop of this.#stopTimers) stop()
  }

  stopBeating(): void {
    this.#stopBeating()
  }

  /**
   * Resolves when nothing is in flight. Call it after the engine is gone: each task then waits for its current run and
   * does nothing more.
   */
  async idle(): Promise<void> {
    const tasks = [this.#beat, this.#storeShown, this.#upkeep, this.#tidyUp, this.claim]
    await Promise.all(tasks.map((task) => task()))
  }

  #startTimers(): void {
    const { engine, config } = this.#parts
    const { every, kind } = config
    const { heartbeatMs, lookMs, repeatMs, tidyMs } = engine.times
    this.#stopBeating = every(heartbeatMs, this.#beat)
    this.#stopTimers = [
      every(lookMs, () => {
        if (kind === 'server') void this.#removeDead(this.#heartbeats.findGone())
      }),
      every(repeatMs, this.#upkeep),
      every(tidyMs, this.#tidyUp),
      every(tidyMs, this.claim),
    ]
  }

  #listen(): void {
    const { engine } = this.#parts
    const { notifications, places, waitingRuns } = engine
    notifications.subscribe(channels.work, () => void this.claim())
    notifications.subscribe(channels.control, () => void places.check())
    notifications.subscribe(channels.policy, () => void places.check())
    notifications.subscribe(channels.control, (runId) => void stopCancelledRuns(engine, runId))
    notifications.subscribe(channels.control, (runId) => void waitingRuns.check(runId))
    notifications.subscribe(channels.policy, () => void waitingRuns.check(''))
    notifications.subscribe(channels.policy, () => void engine.recheckRuns())
  }

  async #claimFree(): Promise<void> {
    this.#mustClaimAgain = true
    this.#mustClaimAgain = !(await this.#parts.engine.work.claimFree())
  }

  /** Repeats what notifications do at once, for those that were lost. */
  async #checkAll(): Promise<void> {
    const { engine } = this.#parts
    await Promise.all([stopCancelledRuns(engine, ''), engine.recheckRuns()])
    await engine.waitingRuns.check('')
    await engine.places.repeat()
    if (this.#mustClaimAgain) void this.claim()
  }

  async #beatOnce(): Promise<void> {
    const { config, life } = this.#parts
    void this.#storeShown()
    const dead = await this.#heartbeats.beat()
    // The next heartbeat does not wait for this.
    if (config.kind === 'server' && !life.isClosing) void this.#removeDead(dead)
  }

  async #removeDead(dead: string[]): Promise<void> {
    if (dead.length === 0) return
    const { engine, config } = this.#parts
    try {
      await removeDeadInstances(engine.database, dead)
      await config.onDead?.()
      // It may have died between two roles or tries, where nobody claims a run.
      await advancePanels(engine)
      await advanceCheckRuns(engine)
    } catch (error) {
      log.warn({ source: 'engine', error: String(error) }, 'Cannot remove a dead process')
    }
  }
}

/** Returns a task that runs at most once at a time, does nothing once `isOver`, and logs failures; the next call tries again. */
function backgroundTask(isOver: () => boolean, part: Task, name: string): Task {
  return coalesced(async () => {
    try {
      if (!isOver()) await part()
    } catch (error) {
      log.warn({ source: 'engine', error: String(error) }, `${name} failed; trying again`)
    }
  })
}

/** Returns what an engine does now and then, because nobody waits for it. */
function openTidyUp(engine: Engine, kind: InstanceKind): () => Promise<void> {
  const { database } = engine
  const send: SendToChannel = (channelId, message) =>
    sendToChannel(database.client, channelId, message)
  const beginSending = [
    deliverAlerts,
    deliverNotices,
    deliverSignInAlerts,
    deliverBackupAlerts,
  ].map((deliver) => openDelivery(database, deliver, send))
  return async () => {
    await engine.work.startOverdue()
    if (kind !== 'server') return
    await releaseLeftBehind(database.pool)
    await advancePanels(engine)
    await advanceCheckRuns(engine)
    for (const begin of beginSending) begin()
  }
}
