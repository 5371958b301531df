import type { UsageMeasure, UsagePeriod, UsageSplit } from '@/lib/domains/usage/usage-filter'
import type { UsageStep } from '@/lib/domains/usage/usage-window'
import { formatCostMicroUsd, formatCount, formatDuration } from '@/lib/protocol/format'

export const periodWords: Record<UsagePeriod, { label: string; before: string }> = {
  '24h': { label: 'Last 24 hours', before: 'the previous 24 hours' },
  '7d': { label: 'Last 7 days', before: 'the previous 7 days' },
  'this-month': { label: 'This month', before: 'the same days of the previous month' },
  'last-month': { label: 'Last month', before: 'the month before it' },
  '30d': { label: 'Last 30 days', before: 'the previous 30 days' },
  '90d': { label: 'Last 90 days', before: 'the previous 90 days' },
  '12m': { label: 'Last 12 months', before: 'the previous 12 months' },
}

export const measureWords: Record<UsageMeasure, string> = {
  cost: 'Cost',
  tokens: 'Tokens',
  calls: 'Requests',
  runs: 'Runs',
  latency: 'Latency',
  errors: 'Errors',
}

export const splitWords: Record<UsageSplit, string> = {
  model: 'Model',
  connection: 'Connection',
  configuration: 'Configuration',
  user: 'User',
  apiKey: 'API key',
  tool: 'Tool',
  day: 'Day',
}

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

/** Returns "+12 %", "−8 %" or "no change"; null when there is no earlier figure. */
export function changeText(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null
  const percent = Math.round((100 * (now - before)) / before)
  if (percent === 0) return 'no change'
  return `${percent > 0 ? '+' : '−'}${formatCount(Math.abs(percent))} %`
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

/** Returns one colour for each part, in order; the sum of the rest is grey. */
export function seriesColour(id: string, index: number): string {
  return id === 'rest' ? 'var(--color-line-strong)' : `var(--data-${(index % colours) + 1})`
}
