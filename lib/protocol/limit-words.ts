import { countOf } from './format'

/** Returns a limit of calls: "at most 10 calls a minute and 3 calls a run"; undefined = there is none. */
export function limitWords(
  limit: { perMinute: number | null; perRun: number | null } | undefined,
): string {
  const { perMinute = null, perRun = null } = limit ?? {}
  const parts = [
    ...(perMinute === null ? [] : [`${countOf(perMinute, 'call')} a minute`]),
    ...(perRun === null ? [] : [`${countOf(perRun, 'call')} a run`]),
  ]
  return parts.length === 0 ? 'no limit' : `at most ${parts.join(' and ')}`
}
