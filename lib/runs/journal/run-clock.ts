/** Returns the time of the site, ms since 1970. */
export type Clock = () => number

/** Time that the database answered, ms since 1970, and the `performance.now()` at which this process asked for it. */
export type ClockReading = { databaseMs: number; askedAt: number }

/**
 * Returns a clock that shows the time of the database, which all servers share, and goes on by the clock of this process that
 * nobody can set. Call `set` with a newer reading as soon as it arrives. Servers whose own clocks differ so agree on when a
 * run began.
 */
export function siteClock(first: ClockReading): {
  now: Clock
  set: (reading: ClockReading) => void
} {
  let offset = first.databaseMs - (first.askedAt + performance.now()) / 2
  return {
    now: () => Math.round(offset + performance.now()),
    // The database read its clock at some moment between question and answer. A late answer so moves the clock only as far as
    // it proves.
    set: ({ databaseMs, askedAt }) => {
      const [least, most] = [databaseMs - performance.now(), databaseMs - askedAt]
      offset = Math.min(Math.max(offset, least), most)
    },
  }
}

/**
 * Returns the time of one run: that of the site, or `since` if that is later, and from then on by a clock that nobody can
 * set. So no event is before another one, and durations and the time limit hold when a clock jumps.
 */
export function runClock(since: number, now: Clock): Clock {
  const offset = Math.max(now(), since) - performance.now()
  return () => Math.round(offset + performance.now())
}
