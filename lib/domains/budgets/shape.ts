import { type FieldShape, reasonField } from '../../protocol/field-shape'
import { type BudgetUnit, formatCount, parseCount, parseUsd, usdText } from '../../protocol/format'

export const scopeChoices = [
  { value: 'site', label: 'The whole site' },
  { value: 'group', label: 'A group' },
  { value: 'user', label: 'A person' },
  { value: 'configuration', label: 'A configuration' },
] as const

/** The fields of a budget. */
export const budgetShape = {
  scope: { kind: 'select', label: 'For', choices: scopeChoices },
  amount: { kind: 'money', label: 'Limit' },
  unit: {
    kind: 'select',
    label: 'Unit',
    choices: [
      { value: 'micro-usd', label: 'US dollars' },
      { value: 'tokens', label: 'tokens' },
      { value: 'requests', label: 'requests' },
    ],
  },
  window: {
    kind: 'select',
    label: 'Resets',
    choices: [
      { value: 'day', label: 'a day' },
      { value: 'month', label: 'a month' },
    ],
  },
  unpriced: {
    kind: 'select',
    label: 'A model without a price',
    hint: 'Allow: the cost is not counted here, and a note in the run says so. Budgets of tokens and requests still count the request.',
    choices: [
      { value: 'refuse', label: 'Refuse the request' },
      { value: 'count-tokens', label: 'Allow the request and note it in the run' },
    ],
  },
  reason: reasonField,
} as const satisfies Record<string, FieldShape>

/** Parses a field's text into the unit: dollars become micro-USD digit by digit. NaN = it is no figure. */
export function limitFigure(text: string, unit: BudgetUnit): number {
  return (unit === 'micro-usd' ? parseUsd(text) : parseCount(text)) ?? Number.NaN
}

/** Returns an amount as the text of a field. */
export function limitText(amount: number, unit: BudgetUnit): string {
  return unit === 'micro-usd' ? usdText(amount) : formatCount(amount)
}
