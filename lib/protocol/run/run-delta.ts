import type { RunEvent } from './run-event'

/** A piece of the answer that a model writes in an open round, or of what a call writes while it runs. */
export type RunPiece =
  | { type: 'text-delta' | 'reasoning-delta'; data: { round: number; text: string } }
  | {
      type: 'call-delta'
      data: { round: number; index: number; name: string; argumentsText: string }
    }
  | { type: 'output-delta'; data: { round: number; callId: string; text: string } }

/**
 * A piece with its place (SPEC J2). It is not in the journal: the message of its round, or the result of its call, says all of
 * it. `start` is the number of the event that began its request or call, `offset` how many UTF-16 units of its answer come before.
 */
export type RunDelta = RunPiece & { runId: string; start: number; offset: number }

/** An update of a run for a watcher. */
export type RunUpdate = RunEvent | RunDelta

export function isDelta(update: RunUpdate): update is RunDelta {
  return 'start' in update
}

/** Returns the events among these updates. */
export function eventsIn(updates: readonly RunUpdate[]): RunEvent[] {
  return updates.filter((update) => !isDelta(update))
}

/** Returns how many UTF-16 units of an answer come before the end of a piece. */
export function endOf(delta: RunDelta): number {
  return delta.offset + textIn(delta).length
}

/** Returns the text of a piece. */
export function textIn(piece: RunPiece): string {
  return piece.type === 'call-delta' ? piece.data.argumentsText : piece.data.text
}

/** Returns the part of a piece from unit `from` on, up to `to`. */
function partOf(delta: RunDelta, from: number, to?: number): RunDelta {
  const text = textIn(delta).slice(from, to)
  const offset = delta.offset + from
  if (delta.type === 'output-delta') return { ...delta, offset, data: { ...delta.data, text } }
  if (delta.type !== 'call-delta') return { ...delta, offset, data: { ...delta.data, text } }
  return { ...delta, offset, data: { ...delta.data, argumentsText: text } }
}

/** Cuts a piece into some of at most `length` units. */
export function cutDelta(delta: RunDelta, length: number): RunDelta[] {
  const count = Math.max(1, Math.ceil(textIn(delta).length / length))
  return Array.from({ length: count }, (_, part) =>
    partOf(delta, part * length, (part + 1) * length),
  )
}

/** Length up to which an answer is known. */
export type AnswerPlace = { start: number; length: number }

/**
 * Returns the part of a piece that follows what is known; null when nothing does: it is known, belongs to another
 * request, or something before it is missing.
 */
export function unknownPart(delta: RunDelta, { start, length }: AnswerPlace): RunDelta | null {
  if (delta.start !== start || delta.offset > length) return null
  const part = partOf(delta, length - delta.offset)
  // The name of a call comes without text.
  return textIn(part) === '' && part.type !== 'call-delta' ? null : part
}

/** The answer of an open round so far, for watchers who come in the middle. */
export type OpenAnswer = AnswerPlace & { readonly runId: string; readonly pieces: RunDelta[] }

/** Pieces are put together up to this length, so that there are few, and none is long to cut. */
const longestPiece = 4_096

/**
 * Returns the open answer after an event: a request begins with an empty one, and so does a call, and its end closes it. Of calls
 * that run at the same time, only the last one shows what it writes; a call that writes runs alone.
 */
export function answerAfter(answer: OpenAnswer | null, event: RunEvent): OpenAnswer | null {
  if (answer && event.seq <= answer.start) return answer
  switch (event.type) {
    case 'round-start':
    case 'request-start':
    case 'call-start':
      return { runId: event.runId, start: event.seq, length: 0, pieces: [] }
    case 'message':
    case 'model-retry':
    case 'model-fallback':
    case 'request-lost':
    case 'call-end':
    case 'run-end':
      return null
    default:
      return answer
  }
}

/** Returns a piece at the end of an answer, as an object of its own. */
export function placedPiece(
  { type, data }: RunPiece,
  { runId, start, length: offset }: OpenAnswer,
): RunDelta {
  // Written out: this happens for each piece that a model writes, and spreading is many times slower here.
  if (type === 'call-delta') {
    const { round, index, name, argumentsText } = data
    return { type, data: { round, index, name, argumentsText }, runId, start, offset }
  }
  if (type === 'output-delta') {
    const { round, callId, text } = data
    return { type, data: { round, callId, text }, runId, start, offset }
  }
  const { round, text } = data
  return { type, data: { round, text }, runId, start, offset }
}

/** Adds a piece at the end of an answer. */
export function growAnswer(answer: OpenAnswer, piece: RunPiece): void {
  const { pieces } = answer
  const last = pieces.at(-1)
  if (!last || !extend(last, piece)) {
    // The first piece grows; the one that was given must not.
    pieces.push(placedPiece(piece, answer))
  }
  answer.length += textIn(piece).length
}

/** Puts a piece of the same kind at the end of the last one; false when it is another kind, or that one is long enough. */
function extend(last: RunDelta, piece: RunPiece): boolean {
  if (textIn(last).length >= longestPiece) return false
  if (last.type === 'call-delta') {
    if (piece.type !== 'call-delta' || piece.data.index !== last.data.index) return false
    last.data.argumentsText += piece.data.argumentsText
    last.data.name ||= piece.data.name
    return true
  }
  if (piece.type === 'call-delta' || piece.type !== last.type) return false
  last.data.text += piece.data.text
  return true
}

/** Returns what of an answer follows `length` units. A call that has a name only is given again. */
export function answerFrom({ pieces }: OpenAnswer, length: number): RunDelta[] {
  const first = pieces.findLastIndex(({ offset }) => offset < length)
  return pieces.slice(Math.max(0, first)).flatMap((piece) => {
    const rest = partOf(piece, Math.max(0, length - piece.offset))
    const isKnown = textIn(rest) === '' && (rest.type !== 'call-delta' || piece.offset < length)
    return isKnown ? [] : [rest]
  })
}
