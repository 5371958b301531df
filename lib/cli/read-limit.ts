import { ValidationError } from '@/lib/errors'
import type { BudgetUnit } from '@/lib/protocol/budget-amount'
import { parseUsd } from '@/lib/protocol/usd-text'

/**
 * "$12.50", "100000 tokens" or "500 requests", in its unit (money in micro-USD). With `expected`, a figure alone is in
 * that unit, and another unit is a ValidationError.
 */
export function readLimit(
  text: string,
  expected?: BudgetUnit,
): { unit: BudgetUnit; amount: number } {
  const limit = parseLimit(text.trim(), expected)
  if (limit && (expected === undefined || limit.unit === expected)) return limit
  throw new ValidationError({
    limit:
      expected === undefined
        ? 'Give a limit in US dollars, tokens or requests: "$12.50", "100000 tokens" or "500 requests".'
        : `This budget counts ${expected === 'micro-usd' ? 'US dollars' : expected}. Give a limit in that unit.`,
  })
}

function parseLimit(text: string, expected: BudgetUnit | undefined) {
  const counted = /^(\d{1,15}|\d{1,3}(?:[_,]\d{3}){1,4})\s*(tokens?|requests?)$/i.exec(text)
  const [, figure = '', word = ''] = counted ?? []
  if (counted) {
    const unit: BudgetUnit = word.toLowerCase().startsWith('t') ? 'tokens' : 'requests'
    return { unit, amount: Number(figure.replaceAll(/[_,]/g, '')) }
  }
  if (expected !== undefined && expected !== 'micro-usd' && /^\d{1,15}$/.test(text)) {
    return { unit: expected, amount: Number(text) }
  }
  const micro = parseUsd(text)
  const isMoney = text.startsWith('$') || expected === 'micro-usd'
  return micro !== null && isMoney ? { unit: 'micro-usd' as const, amount: micro } : null
}
