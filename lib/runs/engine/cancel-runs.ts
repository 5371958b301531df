import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'

/** Cancels runs that have not ended, locked in the order of their ids as by the journal. Returns their ids. */
export async function cancelRuns(
  tx: Tx,
  which: Prisma.Sql,
  { by, reason }: { by: string; reason: string },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH locked AS MATERIALIZED (
      SELECT id FROM runs WHERE ${which} AND "cancelledBy" IS NULL AND status <> 'ended'
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE runs SET "cancelledBy" = ${by}, "cancelReason" = ${reason}
    FROM locked WHERE runs.id = locked.id RETURNING runs.id::text`
  return rows.map(({ id }) => id)
}
