import { checkBudgets } from '@/lib/budgets/check-budgets'
import { systemCtx } from '@/lib/context'
import { countOf } from '@/lib/protocol/format'
import { type Finding, fail, ok } from './finding'

/** Whether what budgets count is the sum of their ledger. */
export async function checkLedger(): Promise<Finding> {
  const { windows, differences } = await checkBudgets(systemCtx())
  if (differences.length === 0) {
    return ok(
      'Budgets',
      `${countOf(windows, 'counter equals the sum of its requests', 'counters equal the sum of their requests')}`,
    )
  }
  const titles = [...new Set(differences.map(({ title }) => title))].join('; ')
  return fail(
    'Budgets',
    `counters differ from the sum of their requests: ${titles}`,
    'Correct them: toolgate budget check --repair',
  )
}
