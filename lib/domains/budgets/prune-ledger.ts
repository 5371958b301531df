import type { Tx } from '@/lib/kernel/db'

/** Days that windows are stored. Usage records store the cost of runs without a limit. */
const ledgerDays = 400

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
