/** Returns the time of the site, ms since 1970. */
export type Clock = () => number

/**
 * Returns a clock that shows the time of the database, which all servers share, and goes on by the clock of this process that
 * nobody can set. `set` takes a newer reading of it. Servers whose own clocks differ so agree on when a run began.
 */
export function siteClock(databaseMs: number): { now: Clock; set: (databaseMs: number) => void } {
  let offset = databaseMs - performance.now()
  return {
    now: () => Math.round(offset + performance.now()),
    set: (ms) => {
      offset = ms - performance.now()
    },
  }
}

/**
 * Returns the time of one run: that of the site, or `since` if that is later, and from then on by a clock that nobody can
 * set. So no event is before another one, and durations and the time limit hold when a clock jumps.
 */
export function runClock(since: number, now: Clock = Date.now): Clock {
  return siteClock(Math.max(now(), since)).now
}
