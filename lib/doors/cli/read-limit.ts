import { ValidationError } from '@/lib/kernel/errors'
import { type BudgetUnit, parseCount, parseUsd } from '@/lib/protocol/format'

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
  const [figure = '', word] = text.split(/(?=tokens?$|requests?$)/i)
  const amount = parseCount(figure)
  const unit = word ? (/^t/i.test(word) ? 'tokens' : 'requests') : expected
  if (amount !== null && unit !== undefined && unit !== 'micro-usd') return { unit, amount }
  const micro = parseUsd(text)
  const isMoney = text.startsWith('$') || expected === 'micro-usd'
  return micro !== null && isMoney ? { unit: 'micro-usd' as const, amount: micro } : null
}
