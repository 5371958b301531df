import type { UsageStep } from '@/lib/domains/usage/usage-window'

const formats: Record<UsageStep, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
}

/** Returns the time step that begins at `at` (ISO text): "14:00", "3 Nov", "Nov 2026". Steps are in UTC. */
export function stepLabel(at: string, step: UsageStep): string {
  return formats[step].format(new Date(at))
}
