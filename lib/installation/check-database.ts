import 'server-only'
import { db } from '../kernel/db'

/** Says whether the database answers, and whether it was migrated. Never throws. */
export async function checkDatabase(): Promise<'ok' | 'unreachable' | 'not-migrated'> {
  try {
    await db().$queryRaw`SELECT 1`
  } catch {
    return 'unreachable'
  }
  try {
    const rows = await db().$queryRaw<unknown[]>`SELECT 1 FROM applied_migrations LIMIT 1`
    return rows.length > 0 ? 'ok' : 'not-migrated'
  } catch {
    return 'not-migrated'
  }
}
