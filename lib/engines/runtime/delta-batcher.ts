import { cleanName, cleanText } from '@/lib/protocol/clean-text'
import type { RunEventBody } from '@/lib/protocol/run-event'
import { redactCanary, redactRanges, type Spelling, searchCanary, spellingsOf } from './canary'
import type { RunStep } from './run-step'

const flushEveryMs = 25
const flushAtChars = 2048

export type Delta = { kind: 'text' | 'reasoning' } | { kind: 'call'; index: number; name: string }

/** The part of a streamed text that is not shown yet. */
type Stream = { delta: Delta; text: string }

/**
 * Appends the deltas of a model in pieces of up to 25 ms or 2,048 characters, so that not every token costs an event.
 * The first piece is appended at once; a timer flushes during a pause. The canary is removed, and a possible beginning
 * of one is held back until it is known (SPEC T7). `close` appends the rest.
 */
export function openDeltaBatcher(step: RunStep, round: number) {
  const { deps } = step
  const spellings = spellingsOf(step)
  const streams = new Map<string, Stream>()
  let current: Stream | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let timerRuns = false
  let closed = false

  const flush = (stream: Stream | null, whole: boolean): void => {
    if (!stream) return
    const { delta, text } = stream
    const { shown, held } = split(text, whole, spellings)
    stream.text = held
    if (shown === '' && text !== '') return
    deps.journal.append(deltaEvent(round, delta, shown, spellings))
    flushedAt = deps.now()
  }

  const flushLater = (): void => {
    if (timerRuns) return
    timerRuns = true
    const onTime = (): void => {
      timerRuns = false
      if (!closed && current?.text) flush(current, false)
    }
    // An error of the journal appears again where the journal is awaited.
    deps
      .sleep(flushEveryMs, step.signal)
      .then(onTime)
      .catch(() => undefined)
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
      } else flushLater()
    },
    close: (): void => {
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

function deltaEvent(
  round: number,
  delta: Delta,
  piece: string,
  spellings: readonly Spelling[],
): RunEventBody {
  const text = cleanText(piece)
  switch (delta.kind) {
    case 'text':
      return { type: 'text-delta', data: { round, text } }
    case 'reasoning':
      return { type: 'reasoning-delta', data: { round, text } }
    case 'call': {
      const name = cleanName(redactCanary(delta.name, spellings))
      return { type: 'call-delta', data: { round, index: delta.index, name, argumentsText: text } }
    }
    default:
      return delta satisfies never
  }
}
