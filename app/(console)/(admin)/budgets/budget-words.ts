import type { BudgetListing } from '@/lib/domains/budgets/schemas'
import { parseCount, parseUsd, usdText } from '@/lib/protocol/codecs'
import { formatCount } from '@/lib/protocol/format'

export const scopeChoices = [
  { value: 'site', label: 'The whole site' },
  { value: 'group', label: 'A group' },
  { value: 'user', label: 'A person' },
  { value: 'configuration', label: 'A configuration' },
] as const
export type ScopeChoice = (typeof scopeChoices)[number]['value']

export const windowChoices = [
  { value: 'day', label: 'a day' },
  { value: 'month', label: 'a month' },
] as const

export const unitChoices = [
  { value: 'micro-usd', label: 'US dollars' },
  { value: 'tokens', label: 'tokens' },
  { value: 'requests', label: 'requests' },
] as const

export const unpricedChoices = [
  { value: 'refuse', label: 'Refuse the request' },
  { value: 'count-tokens', label: 'Allow the request and note it in the run' },
] as const

type Unit = BudgetListing['unit']

/** A field's text as a figure in the unit: dollars become micro-USD digit by digit. NaN = it is none. */
export function limitFigure(text: string, unit: Unit): number {
  return (unit === 'micro-usd' ? parseUsd(text) : parseCount(text)) ?? Number.NaN
}

/** Returns an amount as the text of a field. */
export function limitText(amount: number, unit: Unit): string {
  return unit === 'micro-usd' ? usdText(amount) : formatCount(amount)
}
