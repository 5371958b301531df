import type { UsagePeriod } from './usage-filter'

/** The steps of a chart; each is a word that PostgreSQL's date_trunc knows. */
export type UsageStep = 'hour' | 'day' | 'month'

/** From `from` (included) to `to` (not), in `step`s; all in UTC. */
export type UsageWindow = { from: Date; to: Date; step: UsageStep }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const days: Record<'7d' | '30d' | '90d', number> = { '7d': 7, '30d': 30, '90d': 90 }

/**
 * Returns the window that ends at `now` and begins at the start of an hour, day or month, so that only its last step is
 * incomplete.
 */
export function usageWindow(period: UsagePeriod, now: Date): UsageWindow {
  if (period === '24h') {
    return { from: new Date(floor(now, hourMs) - 23 * hourMs), to: now, step: 'hour' }
  }
  if (period === '12m') {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))
    return { from, to: now, step: 'month' }
  }
  return { from: new Date(floor(now, dayMs) - (days[period] - 1) * dayMs), to: now, step: 'day' }
}

/** Returns the window of the same length right before it, for comparison. */
export function windowBefore({ from, to, step }: UsageWindow): UsageWindow {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from, step }
}

/** Returns the beginnings of all steps of a window, including empty ones. */
export function stepsOf({ from, to, step }: UsageWindow): Date[] {
  const steps: Date[] = []
  for (let at = from; at < to; at = nextStep(at, step)) steps.push(at)
  return steps
}

/** Returns the beginning of the step after the one that begins at `at`. */
export function nextStep(at: Date, step: UsageStep): Date {
  if (step === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  return new Date(at.getTime() + (step === 'hour' ? hourMs : dayMs))
}

function floor(at: Date, ms: number): number {
  return Math.floor(at.getTime() / ms) * ms
}
