import 'server-only'
import { db } from '../kernel/db'

type MigrationRow = { finished: boolean }

/** Whether the database answers, and whether its migrations went through. Never throws. */
export async function checkDatabase(): Promise<'ok' | 'unreachable' | 'not-migrated'> {
  try {
    await db().$queryRaw`SELECT 1`
  } catch {
    return 'unreachable'
  }
  try {
    const rows = await db().$queryRaw<MigrationRow[]>`
      SELECT finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL`
    return rows.length > 0 && rows.every((row) => row.finished) ? 'ok' : 'not-migrated'
  } catch {
    return 'not-migrated'
  }
}
