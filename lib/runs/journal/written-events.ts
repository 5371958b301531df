import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RunEvent, RunEventBody } from '@/lib/protocol/run/run-event'
import { countOf } from '@/lib/words/format'

type CallStart = RunEvent & { type: 'call-start' }

/**
 * Events of one run that its process knows to be in the journal: the number of the last one, and the starts of its writes
 * by their calls. When some of them are not there any more, the database went back to an earlier state.
 */
export type WrittenEvents = { lastSeq: number; writes: Map<string, CallStart> }

/** A run as its process knows it, however often it is opened. */
export type KnownRun = {
  written: WrittenEvents
  /** Its clock; null = it takes one when it is opened. */
  now: (() => number) | null
}

export function unknownRun(): KnownRun {
  return { written: { lastSeq: 0, writes: new Map() }, now: null }
}

/** Adds events that are in the journal. */
export function noteWritten(written: WrittenEvents, events: readonly RunEvent[]): void {
  written.lastSeq = events.at(-1)?.seq ?? written.lastSeq
  for (const event of events)
    if (event.type === 'call-start' && event.data.effect === 'write')
      written.writes.set(keyOf(event.data), event)
}

/**
 * Returns what a run must do before it goes on from a journal that has less than was written: the `events` to append, with
 * the starts of writes that are missing there, so that these are unknown and never repeated. `reason`: why it must end
 * instead, because the model would ask for a write again that was made; null = it goes on. Returns null when nothing is
 * missing.
 */
export function afterGoingBack(
  { lastSeq, writes }: WrittenEvents,
  state: RunState,
): { events: RunEventBody[]; reason: string | null } | null {
  const calls = new Map(
    state.rounds.flatMap((round) => round.calls.map((call) => [keyOf(call), call.state.type])),
  )
  const missing = [...writes].filter(([key]) => (calls.get(key) ?? 'pending') === 'pending')
  const left = Math.max(0, lastSeq - state.lastSeq)
  if (left === 0 && missing.length === 0) return null
  const gone = missing.flatMap(([key, { data }]) => (calls.has(key) ? [] : [data.name]))
  const starts = missing.flatMap(([key, { type, data }]) =>
    calls.has(key) ? [{ type, data }] : [],
  )
  const message = `The database went back to an earlier state: ${countOf(left, 'event')} of this run that it had stored ${left === 1 ? 'is' : 'are'} not in it any more. The run goes on from what is left.`
  const warning: RunEventBody = {
    type: 'warning',
    data: {
      round: null,
      code: 'database-went-back',
      message,
      tellModel: false,
      prunedThrough: null,
    },
  }
  return { events: [warning, ...starts], reason: gone.length > 0 ? goneWords(gone) : null }
}

function goneWords(names: readonly string[]): string {
  return `The database went back to an earlier state, which does not know of ${countOf(names.length, 'call')} that this run made: ${[...new Set(names)].join(', ')}. Look at what ${names.length === 1 ? 'it' : 'they'} changed before you run this again.`
}

function keyOf({ round, callId }: { round: number; callId: string }): string {
  return `${round} ${callId}`
}
