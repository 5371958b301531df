import type { RunState } from './fold-run'

/**
 * Returns how long a run waited for people's decisions about its calls, in ms: of each round, from the first request to the last
 * decision, or to the end of the run. Calls that still wait do not count yet.
 */
export function waitedForPeopleMs({ rounds, end }: Pick<RunState, 'rounds' | 'end'>): number {
  const waits = rounds.map(({ calls }) => {
    const asked = calls.flatMap(({ approval }) => approval ?? [])
    const ends = asked.flatMap(({ decision }) => decision?.at ?? end?.at ?? [])
    if (ends.length === 0) return 0
    return Math.max(...ends) - Math.min(...asked.map(({ requestedAt }) => requestedAt))
  })
  return waits.reduce((sum, wait) => sum + Math.max(0, wait), 0)
}
