import type { UsageMeasure } from '@toolgate/server/domains/usage/usage-filter'
import type { UsageStep } from '@toolgate/server/domains/usage/usage-window'
import { formatCostMicroUsd, formatCount, formatDuration } from '@/lib/words/format'

/** Returns a figure that lacks the cost of so many requests: "at least $1.50", or "unpriced" when nothing is known. */
export function partialText(measure: UsageMeasure, value: number, unpriced: number): string {
  if (unpriced === 0) return figureText(measure, value)
  return value === 0 ? 'unpriced' : `at least ${figureText(measure, value)}`
}

/** Returns a figure of a measure with its unit. */
export function figureText(measure: UsageMeasure, value: number): string {
  switch (measure) {
    case 'cost':
      return formatCostMicroUsd(value)
    case 'latency':
      return formatDuration(value)
    case 'tokens':
    case 'calls':
    case 'runs':
    case 'errors':
      return formatCount(value)
    default:
      return measure satisfies never
  }
}

const formats: Record<UsageStep, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
}

/** Returns the time step that begins at `at` (ISO text): "14:00", "3 Nov", "Nov 2026". Steps are in UTC. */
export function stepLabel(at: string, step: UsageStep): string {
  return formats[step].format(new Date(at))
}

const colours = 6

/** Returns the colour of a part: its own, or one by its place; the sum of the rest is grey. */
export function seriesColour(
  { id, colour }: { id: string; colour?: string },
  index: number,
): string {
  if (colour !== undefined) return colour
  return id === 'rest' ? 'var(--color-line-strong)' : `var(--data-${(index % colours) + 1})`
}
