import { ValidationError } from '@/lib/kernel/errors'
import { endOf, isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'

/**
 * Position of a watcher: the events up to `seq`, and the number of units of the answer that `round` streamed after it.
 */
export type Cursor = { seq: number; round?: number; offset?: number }

/**
 * Returns what writes updates as server-sent events. The id of an event is its number; the id of a piece is the number of
 * the event before it, its round, and where it ends: `12.2.345`.
 */
export function openFrames(
  after: number,
  prefix: string,
): (updates: readonly RunUpdate[]) => string {
  let seq = after
  const placeOf = (update: RunUpdate): string => {
    if (isDelta(update)) return `${seq}.${update.data.round}.${endOf(update)}`
    seq = update.seq
    return String(seq)
  }
  return (updates) =>
    updates
      .map((update) => `id: ${prefix}${placeOf(update)}\ndata: ${JSON.stringify(update)}\n\n`)
      .join('')
}

/** Returns the place that a reader has reached, from the id of the last thing it read. */
export function toCursor(text: string): Cursor {
  const numbers = /^(\d{1,10})(?:\.(\d{1,10})\.(\d{1,10}))?$/.exec(text)
  if (!numbers) throw new ValidationError({ after: 'The cursor must be the number of an event.' })
  const [, seq, round, offset] = numbers
  const after = { seq: Math.min(Number(seq), 2_147_483_647) }
  return round === undefined ? after : { ...after, round: Number(round), offset: Number(offset) }
}
