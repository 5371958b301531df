import 'server-only'
import type { RunEvent } from '@/lib/protocol/run-event'
import { keepFreshEvents } from './fresh-events'
import { runNotice } from './run-notice'
import { channels, notifyLocally } from './wake'

/**
 * Gives events that were just committed to the watchers of a run in this process. The statement that wrote them
 * notified all processes; watchers of this one ignore that notice, because this one follows and brings the events.
 */
export function notifyWatchers(events: RunEvent[]): void {
  const last = events.at(-1)
  if (!last) return
  keepFreshEvents(last.runId, events)
  notifyLocally(channels.run, runNotice({ runId: last.runId, seq: last.seq, writer: '' }))
}
