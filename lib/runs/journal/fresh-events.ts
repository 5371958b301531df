import 'server-only'
import type { RunEvent } from '@/lib/protocol/run-event'
import { isDelta } from './run-changes'

/** Limits of memory. A watcher that is further behind reads the database. */
const mostEvents = 8
const mostRuns = 256

// The engine and the routes are bundles of their own in one process.
const slot = Symbol.for('toolgate.fresh-events')
const shared = globalThis as { [slot]?: Map<string, RunEvent[]> }

/** Keeps events that were just written, for the watchers in this process: only small ones, and without a gap. */
export function keepFreshEvents(runId: string, events: RunEvent[]): void {
  shared[slot] ??= new Map()
  const fresh = shared[slot]
  const known = fresh.get(runId) ?? []
  fresh.delete(runId)
  if (!events.every(isSmall)) return
  const follows = known.at(-1)?.seq === (events[0]?.seq ?? 0) - 1
  fresh.set(runId, [...(follows ? known : []), ...events].slice(-mostEvents))
  const oldest = fresh.keys().next().value
  if (fresh.size > mostRuns && oldest !== undefined) fresh.delete(oldest)
}

/** Returns every event after `seq` when memory holds all of them, else null. */
export function freshEventsAfter(runId: string, seq: number): RunEvent[] | null {
  const events = shared[slot]?.get(runId)
  const next = events?.findIndex((event) => event.seq === seq + 1) ?? -1
  return events && next !== -1 ? events.slice(next) : null
}

function isSmall(event: RunEvent): boolean {
  return isDelta(event.type) || event.type === 'round-start' || event.type === 'call-start'
}
