/**
 * Returns the time of one run, ms since 1970: that of this machine, or `since` if that is later, and from then on by a clock that
 * nobody can set. So no event is before another one, and durations and the time limit hold when the machine's clock jumps.
 */
export function runClock(since: number): () => number {
  const offset = Math.max(Date.now(), since) - performance.now()
  return () => Math.round(offset + performance.now())
}
