import { formatCostMicroUsd, formatCount, formatTokens } from './format'

export type BudgetUnit = 'requests' | 'tokens' | 'micro-usd'

/** A figure of a budget for people: "$1.25", "12 000 tokens", "1 request". */
export function amountWords(figure: number, unit: BudgetUnit): string {
  switch (unit) {
    case 'micro-usd':
      return formatCostMicroUsd(figure)
    case 'tokens':
      return formatTokens(figure)
    case 'requests':
      return `${formatCount(figure)} ${figure === 1 ? 'request' : 'requests'}`
    default:
      return unit satisfies never
  }
}
