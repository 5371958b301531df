import type { UsagePeriod } from './usage-filter'

/** The steps of a chart; each is a word that PostgreSQL's date_trunc knows. */
export type UsageStep = 'hour' | 'day' | 'month'

/** From `from` (included) to `to` (not), in `step`s; all in UTC. */
export type UsageWindow = { from: Date; to: Date; step: UsageStep }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const days: Record<'7d' | '30d' | '90d', number> = { '7d': 7, '30d': 30, '90d': 90 }

/**
 * Returns the window of a period. It begins at the start of an hour, day or month, and ends at `now`, so that only its last
 * step is incomplete; last month has ended with its last day.
 */
export function usageWindow(period: UsagePeriod, now: Date): UsageWindow {
  switch (period) {
    case '24h':
      return { from: new Date(floor(now, hourMs) - 23 * hourMs), to: now, step: 'hour' }
    case 'this-month':
      return { from: monthStart(now, 0), to: now, step: 'day' }
    case 'last-month':
      return { from: monthStart(now, -1), to: monthStart(now, 0), step: 'day' }
    case '12m':
      return { from: monthStart(now, -11), to: now, step: 'month' }
    default:
      return {
        from: new Date(floor(now, dayMs) - (days[period] - 1) * dayMs),
        to: now,
        step: 'day',
      }
  }
}

/**
 * Returns the window to compare with: as much of the month before for a month, otherwise the same length right before.
 */
export function windowBefore(period: UsagePeriod, { from, to, step }: UsageWindow): UsageWindow {
  const lengthMs = to.getTime() - from.getTime()
  const monthBefore = monthStart(from, -1)
  switch (period) {
    case 'this-month':
      return {
        from: monthBefore,
        to: earlier(new Date(monthBefore.getTime() + lengthMs), from),
        step,
      }
    case 'last-month':
      return { from: monthBefore, to: from, step }
    default:
      return { from: new Date(from.getTime() - lengthMs), to: from, step }
  }
}

function monthStart(at: Date, months: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1))
}

/** Returns the earlier of two times: a month may be longer than the one before. */
function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

/** Returns the beginnings of all steps of a window, including empty ones. */
export function stepsOf({ from, to, step }: UsageWindow): Date[] {
  const steps: Date[] = []
  for (let at = from; at < to; at = nextStep(at, step)) steps.push(at)
  return steps
}

/** Returns the beginning of the step after the one that begins at `at`. */
export function nextStep(at: Date, step: UsageStep): Date {
  if (step === 'month') return monthStart(at, 1)
  return new Date(at.getTime() + (step === 'hour' ? hourMs : dayMs))
}

function floor(at: Date, ms: number): number {
  return Math.floor(at.getTime() / ms) * ms
}
