import type {
  UsageMeasure,
  UsagePeriod,
  UsageSplit,
} from '@toolgate/server/domains/usage/usage-filter'
import { formatCount } from '@/lib/words/format'

export const periodWords: Record<UsagePeriod, string> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
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

/** Returns "+12 %", "−8 %" or "no change"; null when there is no earlier figure. */
export function changeText(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null
  const percent = Math.round((100 * (now - before)) / before)
  if (percent === 0) return 'no change'
  return `${percent > 0 ? '+' : '−'}${formatCount(Math.abs(percent))} %`
}
