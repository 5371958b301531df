import type { Pool } from 'pg'
import type { Tx } from '@/lib/kernel/db'
import { settlement, takenBy } from './settlement-sql'

/**
 * Returns ledger rows that are still open, with what their call used: nothing, unless a usage record says otherwise.
 */
const charged = (which: string) => `
charged AS (
  SELECT r.id, r.status::text AS status,
    CASE WHEN u.id IS NULL THEN 0 ELSE ${takenBy('u')} END AS used,
    CASE WHEN u.id IS NULL THEN 'released' ELSE 'settled' END AS outcome
  FROM budget_reservations r JOIN budgets b ON b.id = r."budgetId"
    LEFT JOIN usage_records u ON u.id = r."callId"
  WHERE r.status = 'open' AND (${which})
  ORDER BY r.id FOR UPDATE OF r)`

const statement = (which: string) =>
  `WITH ${charged(which)}, ${settlement} SELECT count(*)::int AS released FROM settled`

/** Releases what was reserved for a call, `$1`. */
export const releaseOf = statement(`r."callId" = $1::uuid`)
const ofInstance = statement(`r."instanceId" = $1::uuid`)
/**
 * Reservations that nobody will settle: their process has ended, or their run has ended or belongs to another process.
 * A test of a model has no run before it is over, which is within two minutes. What a dead process reserved for a run
 * stays reserved: whoever claims the run takes it over, and the run records what its request may have used. So does what
 * was reserved for a member of a panel that waits for a place.
 */
const leftBehind = statement(`
  NOT EXISTS (SELECT 1 FROM runs w
    WHERE w.id = r."runId" AND w.status <> 'ended'
      AND (w."instanceId" = r."instanceId" OR w."waitsFor" IS NOT NULL))
  AND (NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r."instanceId")
    OR r."createdAt" < now() AT TIME ZONE 'UTC' - interval '3 minutes'
    OR EXISTS (SELECT 1 FROM runs w WHERE w.id = r."runId"))`)

/** Releases what was reserved for a call without a message. A settled call stays unchanged (SPEC M2). */
export async function releaseReservation(pool: Pool, callId: string): Promise<void> {
  await pool.query(releaseOf, [callId])
}

/** Releases everything that a process reserved. Calls with a usage record are settled from it. */
export async function releaseInstance(tx: Tx, instanceId: string): Promise<void> {
  await tx.$queryRawUnsafe(ofInstance, instanceId)
}

/** Releases reservations that nobody will settle. Resolves with the number of ledger rows. */
export async function releaseLeftBehind(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ released: number }>(leftBehind)
  return rows[0]?.released ?? 0
}
