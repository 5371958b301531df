import { RateLimitedError } from '../kernel/errors'

export type Sleep = (ms: number) => Promise<unknown>

/** A timer each: enough that a flood from some hundred networks leaves a place for everybody else. */
const mostWaiting = 1_000
const mostWaitingOfOne = 5

// Actions and routes are separate bundles in one process: share one line through globalThis.
const slot = Symbol.for('toolgate.waiting-attempts')
const shared = globalThis as { [slot]?: Map<string, number> }

/**
 * Resolves after this time. At most 5 of one kind and 1,000 in all wait at once in a process, so that waiting costs a
 * flood its speed and us nothing; RateLimitedError for those beyond.
 */
export async function waitInLine(kind: string, ms: number, sleep: Sleep): Promise<void> {
  shared[slot] ??= new Map()
  const waiting = shared[slot]
  const ofThisKind = waiting.get(kind) ?? 0
  const all = [...waiting.values()].reduce((sum, each) => sum + each, 0)
  if (ofThisKind >= mostWaitingOfOne || all >= mostWaiting) {
    const seconds = Math.ceil(ms / 1000)
    throw new RateLimitedError(
      'Many sign-ins are failing right now. Try again in a few seconds.',
      seconds,
    )
  }
  waiting.set(kind, ofThisKind + 1)
  try {
    await sleep(ms)
  } finally {
    const left = (waiting.get(kind) ?? 1) - 1
    if (left > 0) waiting.set(kind, left)
    else waiting.delete(kind)
  }
}
