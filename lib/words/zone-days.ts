import { z } from 'zod'
import { offsetOf } from './time-zone'

const dayMs = 86_400_000

/** The periods that a list offers. Days begin at midnight of the reader's zone. */
export const Period = z.enum(['today', '7d', '30d', 'this-month'])
export type Period = z.infer<typeof Period>

/** Returns when a period began: 7 days are today and the six days before. */
export function periodStart(period: Period, timeZone: string, now: Date): Date {
  const today = dateIn(timeZone, now)
  switch (period) {
    case 'today':
      return dayStart(timeZone, today)
    case '7d':
      return dayStart(timeZone, today, -6)
    case '30d':
      return dayStart(timeZone, today, -29)
    case 'this-month':
      return dayStart(timeZone, `${today.slice(0, 7)}-01`)
    default:
      return period satisfies never
  }
}

/** Returns the date on the clock of a zone, such as "2026-01-31". */
export function dateIn(timeZone: string, at: Date): string {
  return new Date(at.getTime() + offsetOf(timeZone)(at.getTime())).toISOString().slice(0, 10)
}

/**
 * Returns the first moment of a date in a zone, or of one so many days later. Where the clock leaves out midnight, the day
 * begins right after the change; where midnight comes twice, with the first.
 */
export function dayStart(timeZone: string, date: string, daysLater = 0): Date {
  const offset = offsetOf(timeZone)
  const midnight = Date.parse(`${date}T00:00:00Z`) + daysLater * dayMs
  const wanted = new Date(midnight).toISOString().slice(0, 10)
  const starts = [midnight - offset(midnight - dayMs), midnight - offset(midnight + dayMs)]
  const within = starts.filter((at) => dateIn(timeZone, new Date(at)) === wanted)
  return new Date(Math.min(...(within.length > 0 ? within : starts)))
}
