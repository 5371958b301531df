import 'server-only'
import type { Database, Tx } from '../../kernel/db'
import { log } from '../../kernel/log'
import type { SendToChannel } from '../../protocol/delivery'
import { deliverAlerts } from './deliver-alerts'
import { releaseLeftBehind } from './release-reservations'

/** How long windows are stored. Usage records store the cost of runs without a limit. */
const ledgerDays = 400

/**
 * Returns the function that an engine calls at each heartbeat: it releases what dead processes reserved, and starts sending
 * alerts.
 */
export function openBudgetUpkeep(
  { client, pool }: Database,
  send: SendToChannel,
): () => Promise<void> {
  let delivering = false

  /**
   * Sends the alerts without waiting, because a receiver may be slow. Failed ones are sent again at a later heartbeat.
   */
  const deliver = async (): Promise<void> => {
    if (delivering) return
    delivering = true
    try {
      await deliverAlerts(client, send)
    } catch (error) {
      log.warn({ source: 'budgets', error: String(error) }, 'Cannot send alerts; trying again')
    } finally {
      delivering = false
    }
  }

  return async () => {
    await releaseLeftBehind(pool)
    void deliver()
  }
}

/** Deletes windows that began more than `ledgerDays` ago: their ledger, their counters and their alerts. */
export async function pruneLedger(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    WITH old AS (
      SELECT "budgetId", "windowStart" FROM budget_counters
      WHERE "windowStart" < now() AT TIME ZONE 'UTC' - make_interval(days => ${ledgerDays})),
    ledger AS (
      DELETE FROM budget_reservations r USING old
      WHERE r."budgetId" = old."budgetId" AND r."windowStart" = old."windowStart"),
    alerts AS (
      DELETE FROM budget_alerts
      WHERE "windowStart" < now() AT TIME ZONE 'UTC' - make_interval(days => ${ledgerDays}))
    DELETE FROM budget_counters k USING old
    WHERE k."budgetId" = old."budgetId" AND k."windowStart" = old."windowStart"`
}
