import 'server-only'
import { pool } from '@/lib/kernel/db'
import { channels, isListening, onNotify } from './journal/wake'

/** How long "there is no budget" is cached, in case a notification is lost. */
const believedForMs = 3_000

let noneSince: number | null = null
let changes = 0
let watching = false

/**
 * Returns whether any budget is in force. "None" is cached for a moment while notifications arrive, so that an
 * installation without budgets needs no statement per round; a new budget counts as soon as its notification arrives.
 */
export async function anyBudgetInForce(): Promise<boolean> {
  watch()
  if (noneSince !== null && isListening() && Date.now() - noneSince < believedForMs) return false
  const before = changes
  const { rows } = await pool().query<{ any: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM budgets WHERE enabled) AS any',
  )
  const any = rows[0]?.any !== false
  noneSince = any || before !== changes ? null : Date.now()
  return any
}

function watch(): void {
  if (watching) return
  watching = true
  onNotify(channels.budgets, () => {
    changes++
    noneSince = null
  })
}
