import { setImmediate } from 'node:timers'

type Timer = { at: number; run: () => void }

/** A clock that stands still until it is set on, with the timers that come due then. */
export type VirtualClock = {
  now: () => number
  /** Calls `run` when the clock has come so far; as `RunDeps.after`. */
  after: (ms: number, run: () => void) => () => void
  /** Sets the clock on to a time and runs the timers up to it, in order. An earlier time changes nothing. */
  advanceTo: (at: number) => void
  /** Lets the other work of the process go on. The clock stands still meanwhile. */
  rest: () => Promise<void>
  /** Ends what the clock waits for by itself. */
  close: () => void
}

/**
 * Opens a clock at a time, ms since 1970. While everything waits for a timer, the clock goes on to the next one: what is
 * replayed waits for nothing else.
 */
export function openVirtualClock(startedAt: number): VirtualClock {
  const timers = new Set<Timer>()
  let now = startedAt
  let isClosed = false
  let resting = 0
  let idle: NodeJS.Immediate | null = null

  const advanceTo = (at: number): void => {
    for (;;) {
      const next = earliest(timers)
      if (!next || next.at > at) break
      timers.delete(next)
      now = Math.max(now, next.at)
      next.run()
    }
    now = Math.max(now, at)
  }
  const goOnWhenIdle = (): void => {
    if (isClosed || idle || timers.size === 0) return
    idle = setImmediate(() => {
      idle = null
      const next = earliest(timers)
      if (isClosed || !next) return
      if (resting === 0) advanceTo(next.at)
      goOnWhenIdle()
    })
  }
  return {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run }
      timers.add(timer)
      goOnWhenIdle()
      return () => void timers.delete(timer)
    },
    advanceTo,
    rest: async () => {
      resting++
      await new Promise((resolve) => setImmediate(resolve))
      resting--
    },
    close: () => {
      isClosed = true
      timers.clear()
    },
  }
}

function earliest(timers: ReadonlySet<Timer>): Timer | null {
  let first: Timer | null = null
  for (const timer of timers) if (!first || timer.at < first.at) first = timer
  return first
}
