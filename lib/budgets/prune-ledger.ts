import { db } from '../db'

/** Windows are kept this long; what runs cost is in their usage records for ever. */
const ledgerDays = 400

/** Removes windows that began long ago, whole: their ledger, their counters and their alerts. */
export async function pruneLedger(): Promise<void> {
  await db().$executeRaw`
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
