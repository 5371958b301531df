import { formatDuration } from '@/lib/words/format'
import { ownRounds, type RunState } from './fold-run'

/**
 * Returns how long a run waited for people's decisions about its calls, in ms: of each round, from the first request to the last
 * decision, or to the end of the run. Calls that still wait do not count yet.
 */
export function waitedForPeopleMs(state: Pick<RunState, 'rounds' | 'copied' | 'end'>): number {
  const { end } = state
  const waits = ownRounds(state).map(({ calls }) => {
    const approvals = calls.flatMap(({ approval }) => approval ?? [])
    const ends = approvals.flatMap(({ decision }) => decision?.at ?? end?.at ?? [])
    if (ends.length === 0) return 0
    return Math.max(...ends) - Math.min(...approvals.map(({ requestedAt }) => requestedAt))
  })
  return waits.reduce((sum, wait) => sum + Math.max(0, wait), 0)
}

/** Time that a run waited, in ms: for decisions of people, and for a place to begin. */
export type Waits = { waitedForPeopleMs: number; waitedForPlaceMs: number }

export function waitsOf(state: RunState): Waits {
  const { waitedForPlaceMs } = state
  return { waitedForPeopleMs: waitedForPeopleMs(state), waitedForPlaceMs }
}

/** A run that begins at once waits this long, too. */
const noticedMs = 1_000

/** Returns how long a run worked, in ms, without what it waited. */
export function workMsOf(wallMs: number, { waitedForPeopleMs, waitedForPlaceMs }: Waits): number {
  const placeMs = waitedForPlaceMs < noticedMs ? 0 : waitedForPlaceMs
  return Math.max(0, wallMs - waitedForPeopleMs - placeMs)
}

/** Returns "12.0 s of work, 7 min 00 s waiting for approval"; only "12.0 s" of a run that did not wait. */
export function timeWords(wallMs: number, of: Waits): string {
  const { waitedForPeopleMs, waitedForPlaceMs } = of
  const placeMs = waitedForPlaceMs < noticedMs ? 0 : waitedForPlaceMs
  const waits = [
    ...(waitedForPeopleMs > 0 ? [`${formatDuration(waitedForPeopleMs)} waiting for approval`] : []),
    ...(placeMs > 0 ? [`${formatDuration(placeMs)} waiting for a place`] : []),
  ]
  if (waits.length === 0) return formatDuration(wallMs)
  return [`${formatDuration(workMsOf(wallMs, of))} of work`, ...waits].join(', ')
}
