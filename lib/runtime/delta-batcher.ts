import { cleanName, cleanText } from '@/lib/protocol/clean-text'
import type { RunEventBody } from '@/lib/protocol/run-event'
import type { RunStep } from './run-step'

const flushEveryMs = 25
const flushAtChars = 2048

export type Delta = { kind: 'text' | 'reasoning' } | { kind: 'call'; index: number; name: string }

/**
 * Appends what a model streams for display, in pieces of up to 25 ms or 2,048 characters so that a token costs no
 * event of its own. The first piece goes at once; a pause is bridged by a timer. `close` appends the rest.
 */
export function openDeltaBatcher(step: RunStep, round: number) {
  const { deps } = step
  let delta: Delta | null = null
  let text = ''
  let flushedAt = Number.NEGATIVE_INFINITY
  let timerRuns = false
  let closed = false

  const flush = (whole: boolean): void => {
    if (!delta) return
    // Half of a surrogate pair waits for its other half.
    const kept = whole || !/[\ud800-\udbff]$/.test(text) ? '' : text.slice(-1)
    deps.journal.append(deltaEvent(round, delta, kept ? text.slice(0, -1) : text))
    text = kept
    delta = kept ? delta : null
    flushedAt = deps.now()
  }

  const flushLater = (): void => {
    if (timerRuns) return
    timerRuns = true
    const onTime = (): void => {
      timerRuns = false
      if (!closed) flush(false)
    }
    // A journal that fails here fails again where it is awaited.
    deps
      .sleep(flushEveryMs, step.signal)
      .then(onTime)
      .catch(() => undefined)
  }

  return {
    push: (next: Delta, piece: string): void => {
      if (closed) return
      if (delta && !sameDelta(delta, next)) flush(true)
      delta = next
      text += piece
      if (text.length >= flushAtChars || deps.now() - flushedAt >= flushEveryMs) flush(false)
      else flushLater()
    },
    close: (): void => {
      if (!closed) flush(true)
      closed = true
    },
  }
}

function sameDelta(a: Delta, b: Delta): boolean {
  if (a.kind !== 'call' || b.kind !== 'call') return a.kind === b.kind
  return a.index === b.index
}

function deltaEvent(round: number, delta: Delta, piece: string): RunEventBody {
  const text = cleanText(piece)
  switch (delta.kind) {
    case 'text':
      return { type: 'text-delta', data: { round, text } }
    case 'reasoning':
      return { type: 'reasoning-delta', data: { round, text } }
    case 'call': {
      const { index, name } = delta
      return {
        type: 'call-delta',
        data: { round, index, name: cleanName(name), argumentsText: text },
      }
    }
    default:
      return delta satisfies never
  }
}
