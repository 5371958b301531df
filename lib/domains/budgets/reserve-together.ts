import type { Pool } from 'pg'
import { pooledTransaction } from '@/lib/kernel/statements'
import { windowStart } from './budget-title'
import { releaseOf } from './release-reservations'
import {
  type BudgetState,
  type Claim,
  type Query,
  queryOf,
  reserveInBudgets,
} from './reserve-in-budgets'

/** Locks the counters of now in the order in which everybody does: the claims lock them again, each those that it needs. */
const lockCounters = `
SELECT 1 AS locked FROM budget_counters k
JOIN budgets b ON b.id = k."budgetId" AND b.enabled AND k."windowStart" = ${windowStart}
ORDER BY k."budgetId", k."windowStart" FOR UPDATE OF k`

/**
 * Reserves all of these claims or none of them, when `query` is of a transaction that the caller takes back unless each
 * answer lets it go on (SPEC Q3). Returns the answers to each claim: also of those after one that was refused.
 */
export async function reserveTogether(
  query: Query,
  claims: readonly Claim[],
): Promise<BudgetState[][]> {
  await query(lockCounters, [])
  const answers: BudgetState[][] = []
  for (const claim of claims) answers.push(await reserveInBudgets(query, claim))
  return answers
}

/** Reserves a claim in the place of what was reserved for `callId`, so that nobody else takes the room between the two. */
export async function reserveInstead(
  pool: Pool,
  callId: string,
  claim: Claim,
): Promise<BudgetState[]> {
  return pooledTransaction(pool, async (connection) => {
    await connection.query(releaseOf, [callId])
    return reserveInBudgets(queryOf(connection), claim)
  })
}
