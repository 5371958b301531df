import { processState } from '@/lib/kernel/process-state'
import 'server-only'
import type { RunLimits } from '@/lib/domains/settings/verbs'
import type { Database } from '@/lib/kernel/db'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { TurnMemory } from '@/lib/runs/conversations/earlier-turns'
import type { BudgetsInForce } from '@/lib/runs/start/budgets-in-force'
import type { PolicyCache } from '@/lib/runs/start/policy-cache'
import type { KnownTools, Versioned } from '@/lib/runs/start/versioned'
import type { ConnectionGate } from '@/lib/runs/work/connection-gate'
import type { JournalWriter } from '../journal/journal-writer'
import type { Notifications } from '../journal/notifications'
import type { Clock } from '../journal/run-clock'
import type { RunFeed } from '../journal/run-feed'
import type { InstanceKind } from './instances'
import type { LiveRun, NewRun } from './live-runs'
import type { EnginePlaces } from './places'
import type { RunQueue } from './run-queue'
import type { WaitingRuns } from './waiting-runs'

/** Start of a configuration's runs, and the limits of the site. */
export type Startable = { snapshot: RunSnapshot; limits: RunLimits }

/** Options of an engine. */
export type EngineConfig = {
  /** A `server` also claims runs that other engines left; a `cli` works on its own only. */
  kind: InstanceKind
  database: Database
  times: EngineTimes
  /**
   * Host on which its process id is valid. Two engines of one process need two: a process id belongs to one engine of a
   * host.
   */
  host: string
  /** Calls `work` every so many ms, until the returned function is called. */
  every: (ms: number, work: () => void) => () => void
  /** Maximum runs that it works on at once; left out: 256. */
  mostRuns?: number
  /** Queue of waiting runs; left out: a run that must wait is refused. */
  queue?: RunQueue
  /** Called once when a newer version has migrated the database. */
  onNewerSchema?: () => void
  /** Called when engines were found dead. */
  onDead?: () => Promise<void>
}

/** Times of an engine, ms. */
export type EngineTimes = {
  /** Interval of its heartbeat, and of the search for engines without one. */
  heartbeatMs: number
  /** Interval of the search for ended processes on its host. This costs no statement. */
  lookMs: number
  /** Interval of repeating the work of notifications, for those that were lost. */
  repeatMs: number
  /** Interval of the search for leftovers of notices and failures, with statements that an idle site pays for, too. */
  tidyMs: number
  /** Others claim the runs of an engine without a heartbeat for this long. */
  deadAfterMs: number
  /** A run of its own that it does not work on so long after the start is started again. */
  overdueAfterMs: number
  /** When it closes: how long requests and calls in flight may continue, and then how long stopping them may take. */
  callsMayTakeMs: number
  stopsMayTakeMs: number
  /** The pause after a failed step of a run. */
  retryMs: number
  /** Time for which an unreadable policy is read again before a call is refused because of it. */
  unreadableMs: number
}

/** The runs that one engine works on, those that wait for approval included. */
export type EngineWork = {
  readonly count: number
  /** Begins the work on a run that this process just created, and whose row names this engine. */
  start: (run: NewRun) => void
  /** Begins the work on a run from the queue, which has its places. */
  begin: (runId: string) => Promise<void>
  /** Starts runs whose start failed after their row was written. Their owner is alive, so no other engine claims them. */
  startOverdue: () => Promise<void>
  /** Claims runs without a living owner and continues them. Returns false when there may be more than it has room for. */
  claimFree: () => Promise<boolean>
}

/** Worker on runs: everything that belongs to one engine, in one object. `openEngine` opens it. */
export type Engine = {
  /** Names the engine as the owner of runs. */
  readonly instanceId: string
  readonly database: Database
  readonly times: EngineTimes
  /** The time of the database, which all engines share. */
  readonly now: Clock
  readonly notifications: Notifications
  readonly feed: RunFeed
  readonly writer: JournalWriter
  readonly policy: PolicyCache
  readonly connectionGate: ConnectionGate
  /** Cached starts of runs, by configuration. */
  readonly snapshots: Versioned<Startable>
  readonly tools: KnownTools
  /** Turns that ended, for the next ones of their conversations. */
  readonly turns: TurnMemory
  readonly budgetsInForce: BudgetsInForce
  /** Runs in memory: it does a step of them. */
  readonly liveRuns: Map<string, LiveRun>
  /** Work after the end of runs. An engine that closes waits for it. */
  readonly followUps: Set<Promise<void>>
  readonly waitingRuns: WaitingRuns
  readonly places: EnginePlaces
  /** Checks the rights of all live runs, and aborts calls that are no longer allowed. */
  readonly recheckRuns: () => Promise<void>
  /** False once it closes: no further step of a run begins. */
  readonly takesSteps: () => boolean
  readonly work: EngineWork
  /** Applies a cancellation or a decision to a run that it works on, without waiting for the notification. */
  readonly applyChanges: (runId: string) => void
  /** Hands over active runs and closes the engine; it starts nothing afterwards. */
  readonly close: () => Promise<void>
}

const running = processState<Engine | undefined>(() => undefined)

/** Returns the engine of this process, if it has one. */
export function runningEngine(): Engine | undefined {
  return running.value
}

export function setRunningEngine(engine: Engine | undefined): void {
  running.value = engine
}
