import 'server-only'
import type { RunEvent } from '@/lib/protocol/run-event'
import { keepFreshEvents } from './fresh-events'
import { runNotice } from './run-notice'
import { channels, notifyLocally } from './wake'

/**
 * Tells the watchers in this process what was just written, once it is committed. Those in other processes heard it
 * from the statement itself, and so did ours, who leave it at that: this comes a moment later, but with the events.
 */
export function tellWatchers(events: RunEvent[]): void {
  const last = events.at(-1)
  if (!last) return
  keepFreshEvents(last.runId, events)
  notifyLocally(channels.run, runNotice({ runId: last.runId, seq: last.seq, writer: '' }))
}
