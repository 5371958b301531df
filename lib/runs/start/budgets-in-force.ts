import 'server-only'
import type { Database } from '@/lib/kernel/db'
import { channels, type Notifications } from '@/lib/runs/journal/notifications'

/** Time that "there is no budget" is cached, in case a notification is lost. */
const believedForMs = 3_000

/** Returns whether any budget is in force. */
export type BudgetsInForce = () => Promise<boolean>

/**
 * Opens the cache of one engine. "None" is cached for a moment while notifications arrive, so that an installation
 * without budgets needs no statement per round; a new budget counts as soon as its notification arrives.
 */
export function openBudgetsInForce(
  { pool }: Database,
  notifications: Notifications,
): BudgetsInForce {
  let noneSince: number | null = null
  let changes = 0
  notifications.subscribe(channels.budgets, () => {
    changes++
    noneSince = null
  })
  return async () => {
    const isFresh = noneSince !== null && performance.now() - noneSince < believedForMs
    if (isFresh && notifications.isListening()) return false
    const before = changes
    const { rows } = await pool.query<{ any: boolean }>(
      'SELECT EXISTS (SELECT 1 FROM budgets WHERE enabled) AS any',
    )
    const any = rows[0]?.any !== false
    noneSince = any || before !== changes ? null : performance.now()
    return any
  }
}
