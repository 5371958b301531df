import 'server-only'
import type { RunEvent } from '@/lib/protocol/run-event'
import { channels, type Notifications } from './notifications'
import { isDelta } from './run-changes'

/** Limits of memory. A watcher that is further behind reads the database. */
const mostEvents = 8
const mostRuns = 256

/** Events that one engine just wrote, in memory: only small ones, and without a gap. */
export type FreshEvents = {
  keep: (runId: string, events: RunEvent[]) => void
  /** Returns every event after `seq` when memory holds all of them, else null. */
  after: (runId: string, seq: number) => RunEvent[] | null
}

export function openFreshEvents(): FreshEvents {
  const fresh = new Map<string, RunEvent[]>()
  return {
    keep: (runId, events) => {
      const known = fresh.get(runId) ?? []
      fresh.delete(runId)
      if (!events.every(isSmall)) return
      const follows = known.at(-1)?.seq === (events[0]?.seq ?? 0) - 1
      fresh.set(runId, [...(follows ? known : []), ...events].slice(-mostEvents))
      const oldest = fresh.keys().next().value
      if (fresh.size > mostRuns && oldest !== undefined) fresh.delete(oldest)
    },
    after: (runId, seq) => {
      const events = fresh.get(runId)
      const next = events?.findIndex((event) => event.seq === seq + 1) ?? -1
      return events && next !== -1 ? events.slice(next) : null
    },
  }
}

function isSmall(event: RunEvent): boolean {
  return isDelta(event.type) || event.type === 'round-start' || event.type === 'call-start'
}

/** What a watcher of runs needs of the engine beside it. */
export type RunFeed = { notifications: Notifications; freshEvents: FreshEvents }

/**
 * Gives events that were just committed to the watchers of a run that have this feed. The statement that wrote them
 * notified all processes; these watchers ignore that notice, because this one follows and brings the events.
 */
export function notifyWatchers({ notifications, freshEvents }: RunFeed, events: RunEvent[]): void {
  const last = events.at(-1)
  if (!last) return
  freshEvents.keep(last.runId, events)
  const notice = runNotice({ runId: last.runId, seq: last.seq, writer: '' })
  notifications.notifyLocally(channels.run, notice)
}

/** A notice to the watchers of a run: the run, the newest seq in its journal, and the engine that wrote it. */
type RunNotice = { runId: string; seq: number; writer: string }

/** Returns the payload of a notice. An empty writer means this engine: its events are in memory. */
export function runNotice({ runId, seq, writer }: RunNotice): string {
  return `${runId} ${seq} ${writer}`
}

export function parseRunNotice(payload: string): RunNotice {
  const [runId = '', seq = '0', writer = ''] = payload.split(' ')
  return { runId, seq: Number(seq), writer }
}
