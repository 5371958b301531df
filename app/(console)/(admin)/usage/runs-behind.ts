import type { UsagePart } from '@toolgate/server/domains/usage/reads'
import type { UsageScope, UsageSplit } from '@toolgate/server/domains/usage/usage-filter'
import { nextStep, type UsageWindow } from '@toolgate/server/domains/usage/usage-window'
import { addressOf } from '@/components/forms/address-of'

type Span = Pick<UsageWindow, 'from' | 'to'>

/** Returns the address of the runs that a part counts; null = they cannot be told apart. */
export function runsOfPart(
  by: Exclude<UsageSplit, 'tool'>,
  { key }: Pick<UsagePart, 'key'>,
  window: UsageWindow,
  scope: UsageScope,
): string | null {
  if (key === null) return null
  if (by !== 'day') return runsIn(window, { ...scope, [by]: key })
  return runsIn(stepAt(new Date(key), window), scope)
}

/** Returns the address of the runs that called a tool in the window. */
export function runsOfTool(tool: string, window: UsageWindow, scope: UsageScope): string {
  return runsIn(window, { ...scope, tool })
}

/**
 * Returns the dates of runs that may have requests or calls in a time window. Usage counts requests and calls by their
 * end, whenever their run began.
 */
function runsIn({ from, to }: Span, values: UsageScope & { tool?: string }): string {
  const { user, configuration, model, connection, apiKey, tool } = values
  const known = { user, configuration, model, connection, apiKey, tool }
  return addressOf('/runs', { ...known, usedFrom: from.toISOString(), usedTo: to.toISOString() })
}

/** Returns one step of the window. The last step ends with the window. */
function stepAt(from: Date, { step, to }: UsageWindow): Span {
  const end = nextStep(from, step)
  return { from, to: end < to ? end : to }
}
