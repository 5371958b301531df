import { z } from 'zod'
import { pool } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { verb } from '../../kernel/verb'
import { matchesSearch } from '../../protocol/matches-search'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { budgetTitle, windowEnd, windowStart } from './budget-title'
import {
  BudgetFilter,
  BudgetListing,
  BudgetScope,
  type BudgetSortKey,
  BudgetWindow,
  UnpricedRule,
} from './schemas'

const Wanted = BudgetFilter.omit({ page: true })
type Wanted = z.output<typeof Wanted>

/** Not in pages, because there are a few hundred at most. `whole`: the number without the filter. */
export const listBudgets = verb({
  name: 'budget.list',
  role: 'admin',
  scope: 'budgets:read',
  summary: 'Lists budgets, each with what is spent and held in its window.',
  input: Wanted,
  output: z.object({ budgets: z.array(BudgetListing), whole: z.number() }),
  transaction: false,
  run: async (_context, wanted) => {
    const whole = await readBudgets()
    const { key, direction } = sortParts(wanted.sort)
    const found = whole.filter((budget) => fits(budget, wanted))
    return { budgets: found.sort(comparing(key, direction)), whole: whole.length }
  },
})

/** Throws NotFoundError when there is none. */
export const findBudget = verb({
  name: 'budget.read',
  role: 'admin',
  scope: 'budgets:read',
  summary: 'Returns one budget with what is spent and held in its window.',
  input: z.object({ id: z.string() }),
  output: BudgetListing,
  transaction: false,
  run: async (_context, { id }) => {
    const budget = await readBudget(parseId(id, 'This budget'))
    if (!budget) throw new NotFoundError('This budget')
    return budget
  },
})

function fits(budget: BudgetListing, { search, scope, state }: Wanted): boolean {
  if (scope !== undefined && budget.scope !== scope) return false
  if (state !== undefined && budget.enabled !== (state === 'on')) return false
  return matchesSearch(search, [budget.title, budget.unit, budget.topUser?.email])
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

const figure = z.coerce.number()

const Row = z.object({
  id: z.string(),
  title: z.string(),
  scope: BudgetScope,
  scopeId: z.string().nullable(),
  window: BudgetWindow,
  unit: z.enum(['requests', 'tokens', 'micro-usd']),
  amount: figure,
  unpriced: UnpricedRule,
  enabled: z.boolean(),
  reserved: figure,
  spent: figure,
  now: z.date(),
  countedFrom: z.date(),
  resetsAt: z.date(),
  topEmail: z.string().nullable(),
  topSpent: figure,
  createdByLabel: z.string(),
  updatedAt: z.date(),
})

/** Reads who used most of each budget. It takes a query per budget, so callers that only need figures leave it out. */
const mostBy = `
  LEFT JOIN LATERAL (
    SELECT u.email, sum(r.settled) AS spent
    FROM budget_reservations r JOIN runs w ON w.id = r."runId" JOIN users u ON u.id = w."userId"
    WHERE r."budgetId" = b.id AND r."windowStart" = ${windowStart} AND r.settled > 0
    GROUP BY u.email ORDER BY 2 DESC, 1 LIMIT 1) top ON b.scope <> 'user'`
const byNobody = `
  LEFT JOIN (SELECT NULL::text AS email, NULL::numeric AS spent) top ON true`

const select = (where: string, top: string) => `
  SELECT b.id, ${budgetTitle} AS title, b.scope, b."scopeId", b."window", b.unit, b.amount, b.unpriced, b.enabled,
    coalesce(k.reserved, 0) AS reserved, coalesce(k.spent, 0) AS spent, now() AS now,
    greatest(${windowStart}, b."createdAt") AT TIME ZONE 'UTC' AS "countedFrom",
    ${windowEnd} AT TIME ZONE 'UTC' AS "resetsAt",
    top.email AS "topEmail", coalesce(top.spent, 0) AS "topSpent",
    b."createdByLabel", b."updatedAt" AT TIME ZONE 'UTC' AS "updatedAt"
  FROM budgets b
  LEFT JOIN budget_counters k ON k."budgetId" = b.id AND k."windowStart" = ${windowStart}
  ${top}
  WHERE ${where}
  ORDER BY title, b.id`

const all = select('true', mostBy)
const enabled = select('b.enabled', byNobody)
const one = select('b.id = $1::uuid', mostBy)

/** Returns every budget with its current window, by title. */
async function readBudgets(): Promise<BudgetListing[]> {
  const { rows } = await pool().query(all)
  return z.array(Row).parse(rows).map(toListing)
}

/** Returns the budgets in force, without who used most of them. */
export async function readBudgetsInForce(): Promise<BudgetListing[]> {
  const { rows } = await pool().query(enabled)
  return z.array(Row).parse(rows).map(toListing)
}

/** Returns a budget with its current window; null when there is none. */
async function readBudget(id: string): Promise<BudgetListing | null> {
  const { rows } = await pool().query(one, [id])
  const [row] = z.array(Row).parse(rows)
  return row ? toListing(row) : null
}

function toListing(row: z.output<typeof Row>): BudgetListing {
  const { now, countedFrom, resetsAt, topEmail, topSpent, updatedAt, ...facts } = row
  return {
    ...facts,
    spentAtLeast: facts.unit === 'micro-usd' && facts.unpriced === 'count-tokens',
    resetsAt: resetsAt.toISOString(),
    fullAt: fullAt({ ...facts, now, countedFrom, resetsAt })?.toISOString() ?? null,
    topUser: topEmail === null ? null : { email: topEmail, spent: topSpent },
    updatedAt: updatedAt.toISOString(),
  }
}

type Pace = {
  enabled: boolean
  amount: number
  spent: number
  now: Date
  /** When this window, or the budget, began. */
  countedFrom: Date
  resetsAt: Date
}

/**
 * Returns when a budget will be used up at its rate so far in this window; the time itself when it is, null when it
 * lasts until it resets or nothing was spent yet.
 */
export function fullAt({ enabled, amount, spent, now, countedFrom, resetsAt }: Pace): Date | null {
  if (!enabled || spent <= 0) return null
  if (spent >= amount) return now
  const passedMs = Math.max(1, now.getTime() - countedFrom.getTime())
  const at = now.getTime() + ((amount - spent) / spent) * passedMs
  return at < resetsAt.getTime() ? new Date(Math.round(at)) : null
}
