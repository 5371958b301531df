import type { Tx } from '@/lib/kernel/db'

/** Notified after each change of a budget, so that processes that remember "no budgets" read them again. */
export const budgetChannel = 'toolgate_budgets'

/** Notifies every process. The notification is delivered when the transaction commits, never before. */
export async function notifyBudgetChange(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${budgetChannel}, '')`
}
