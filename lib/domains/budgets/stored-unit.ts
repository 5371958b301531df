import type {
  BudgetUnit as UnitColumn,
  UnpricedRule as UnpricedColumn,
} from '../../generated/prisma/enums'
import type { BudgetUnit } from '../../protocol/format'
import type { UnpricedRule } from './schemas'

// Enum values of the database client cannot hold a hyphen.
const units: Record<BudgetUnit, UnitColumn> = {
  requests: 'requests',
  tokens: 'tokens',
  'micro-usd': 'micro_usd',
}
const rules: Record<UnpricedRule, UnpricedColumn> = {
  refuse: 'refuse',
  'count-tokens': 'count_tokens',
}

export const unitColumn = (unit: BudgetUnit): UnitColumn => units[unit]
export const unpricedColumn = (rule: UnpricedRule): UnpricedColumn => rules[rule]
export const unpricedOf = (column: UnpricedColumn): UnpricedRule =>
  column === 'refuse' ? 'refuse' : 'count-tokens'
