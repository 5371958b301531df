import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Budget } from '@/lib/domains/budgets/shape'

/** Returns budgets that name their top user. */
export async function withTopNames<T extends Pick<Budget, 'topUser'>>(
  budgets: readonly T[],
): Promise<T[]> {
  const nameOf = await readPersonNames(budgets.map(({ topUser }) => topUser?.email))
  return budgets.map((budget) => {
    const { topUser } = budget
    return topUser ? { ...budget, topUser: { ...topUser, email: nameOf(topUser.email) } } : budget
  })
}
