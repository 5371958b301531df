import { sleep } from '@/lib/engines/runtime/sleep'

/**
 * Returns a clock that jumps: when nothing else is left to do, it moves to the earliest sleeper and wakes it. No test
 * waits, and the order is always the same. Do not mix it with real I/O.
 */
export function testClock(startAt = 1_700_000_000_000) {
  let now = startAt
  let sleepers: { at: number; wake: () => void }[] = []
  let scheduled = false

  const wakeNext = (): void => {
    scheduled = false
    const next = sleepers.reduce<(typeof sleepers)[number] | null>(
      (first, sleeper) => (first && first.at <= sleeper.at ? first : sleeper),
      null,
    )
    if (!next) return
    now = Math.max(now, next.at)
    next.wake()
    schedule()
  }

  const schedule = (): void => {
    if (scheduled || sleepers.length === 0) return
    scheduled = true
    setImmediate(wakeNext)
  }

  const after = (ms: number, run: () => void): (() => void) => {
    const leave = () => {
      sleepers = sleepers.filter((other) => other !== sleeper)
    }
    const wake = () => {
      leave()
      run()
    }
    const sleeper = { at: now + ms, wake }
    sleepers.push(sleeper)
    schedule()
    return leave
  }

  return {
    now: () => now,
    /** Calls `run` when the clock comes to `ms` from now, unless what it returns is called before. */
    after,
    /** Resolves when the clock comes to `ms` from now, or at once when the signal aborts. */
    sleep: (ms: number, signal: AbortSignal = new AbortController().signal) =>
      sleep(ms, signal, after),
    /** Returns the number of sleepers that were left behind. */
    sleepers: () => sleepers.length,
  }
}
