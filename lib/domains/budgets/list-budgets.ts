import { type Ctx, requireRole } from '../../kernel/context'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { readBudgets } from './read-budgets'
import type { BudgetFilter, BudgetListing, BudgetSortKey } from './schemas'

type Wanted = Pick<BudgetFilter, 'search' | 'scope' | 'state' | 'sort'>

/** Budgets that fit, in the order asked for, and how many there are at all: a few hundred at most. Admins only. */
export async function listBudgets(
  ctx: Ctx,
  wanted: Wanted,
): Promise<{ budgets: BudgetListing[]; whole: number }> {
  requireRole(ctx, 'admin')
  const all = await readBudgets()
  const { key, direction } = sortParts(wanted.sort)
  const found = all.filter((budget) => fits(budget, wanted))
  return { budgets: found.sort(comparing(key, direction)), whole: all.length }
}

function fits(budget: BudgetListing, { search = '', scope, state }: Wanted): boolean {
  if (scope !== undefined && budget.scope !== scope) return false
  if (state !== undefined && budget.enabled !== (state === 'on')) return false
  const text = `${budget.title} ${budget.unit} ${budget.topUser?.email ?? ''}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function comparing(key: BudgetSortKey, direction: SortDirection) {
  const way = direction === 'asc' ? 1 : -1
  const of = (budget: BudgetListing): number | string => {
    switch (key) {
      case 'title':
        return budget.title.toLowerCase()
      case 'used':
        return budget.enabled ? (budget.spent + budget.reserved) / budget.amount : -1
      case 'limit':
        return budget.amount
      case 'state':
        return Number(budget.enabled)
      case 'resets':
        return budget.resetsAt
      default:
        return key satisfies never
    }
  }
  return (a: BudgetListing, b: BudgetListing): number => {
    const [left, right] = [of(a), of(b)]
    if (left === right) return a.title.localeCompare(b.title)
    return left < right ? -way : way
  }
}
