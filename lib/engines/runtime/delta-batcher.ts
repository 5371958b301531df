import type { RunPiece } from '@/lib/protocol/run/run-delta'
import { cleanName, cleanText } from '@/lib/words/clean-text'
import { redactCanary, redactRanges, type Spelling, searchCanary, spellingsOf } from './call/canary'
import type { RunStep } from './run-step'

/** Pieces are put together for this long (SPEC J2). */
const flushEveryMs = 40
const flushAtChars = 2048

type Delta =
  | { kind: 'text' | 'reasoning' }
  | { kind: 'call'; index: number; name: string }
  | { kind: 'output'; callId: string }

/** The part of a streamed text that is not shown yet. */
type Stream = { delta: Delta; text: string }

/**
 * Shows what a model, or a call, writes in pieces of up to 40 ms or 2,048 characters, so that not every token costs its watchers.
 * The first piece is shown at once; a timer flushes during a pause. The canary is removed, and a possible beginning
 * of one is held back until it is known (SPEC T7). `close` shows the rest.
 */
export function openDeltaBatcher(step: RunStep, round: number) {
  const { deps } = step
  const spellings = spellingsOf(step)
  const streams = new Map<string, Stream>()
  let current: Stream | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | null = null
  let closed = false

  const flush = (stream: Stream, whole: boolean): void => {
    const { delta, text } = stream
    const { shown, held } = split(text, whole, spellings)
    stream.text = held
    if (shown === '' && text !== '') return
    deps.journal.show(pieceOf(round, delta, shown, spellings))
    flushedAt = deps.now()
  }

  const flushNow = (): void => {
    cancelTimer = null
    try {
      if (current?.text) flush(current, false)
    } catch {
      // It is shown with the next piece, or with the whole message.
    }
  }

  const streamOf = (delta: Delta): Stream => {
    const key = delta.kind === 'call' ? `call ${delta.index}` : delta.kind
    const stream = streams.get(key) ?? { delta, text: '' }
    streams.set(key, stream)
    return stream
  }

  return {
    push: (delta: Delta, piece: string): void => {
      if (closed) return
      const stream = streamOf(delta)
      if (current !== stream && current?.text) flush(current, false)
      current = stream
      stream.text += piece
      if (stream.text.length >= flushAtChars || deps.now() - flushedAt >= flushEveryMs) {
        flush(stream, false)
      } else cancelTimer ??= deps.after(flushEveryMs, flushNow)
    },
    close: (): void => {
      cancelTimer?.()
      if (!closed) for (const stream of streams.values()) if (stream.text) flush(stream, true)
      closed = true
    },
  }
}

/** Holds back half of a surrogate pair and the possible beginning of a canary. */
function split(text: string, whole: boolean, spellings: readonly Spelling[]) {
  const { found, openFrom } = searchCanary(text, spellings)
  const complete = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
  const end = whole ? text.length : Math.min(openFrom, complete)
  const ranges = found.filter(({ to }) => to <= end)
  return { shown: redactRanges(text.slice(0, end), ranges), held: text.slice(end) }
}

function pieceOf(
  round: number,
  delta: Delta,
  piece: string,
  spellings: readonly Spelling[],
): RunPiece {
  const text = cleanText(piece)
  switch (delta.kind) {
    case 'text':
    case 'reasoning':
      return { type: `${delta.kind}-delta`, data: { round, text } }
    case 'call': {
      const name = cleanName(redactCanary(delta.name, spellings))
      return { type: 'call-delta', data: { round, index: delta.index, name, argumentsText: text } }
    }
    case 'output':
      return { type: 'output-delta', data: { round, callId: delta.callId, text } }
    default:
      return delta satisfies never
  }
}
