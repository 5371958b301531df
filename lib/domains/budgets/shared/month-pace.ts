const dayMs = 86_400_000

/**
 * Returns what a month of UTC will have used at its end, if the rest goes on like the time until `now`; null on its first
 * day, of which nobody can say so.
 */
export function monthPace(used: number, now: Date): number | null {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const start = Date.UTC(year, month, 1)
  const passedMs = now.getTime() - start
  if (passedMs < dayMs) return null
  return Math.round((used * (Date.UTC(year, month + 1, 1) - start)) / passedMs)
}
