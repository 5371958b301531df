import { setImmediate } from 'node:timers/promises'

/** Time that one piece of work may block the event loop, in ms. */
const turnMs = 10

/**
 * Returns a function to await between the steps of long work: it lets everything else go first once the work has gone on for
 * `turnMs`. Steps are not counted, because a server decides how long each of them takes.
 */
export function takingTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await setImmediate()
    since = performance.now()
  }
}

const mostAtOnce = 4

/** Returns a few at a time of what is read or written at once, because each may be as large as a server's definition may be. */
export function* fewAtATime<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += mostAtOnce) yield all.slice(at, at + mostAtOnce)
}
