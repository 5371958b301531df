import 'server-only'
import { db, hasRoom } from '../kernel/db'

/** Says whether the database answers, was migrated and has room on its disk. Never throws. */
export async function checkDatabase(): Promise<'ok' | 'unreachable' | 'not-migrated' | 'full'> {
  try {
    await db().$queryRaw`SELECT 1`
  } catch {
    return 'unreachable'
  }
  try {
    const rows = await db().$queryRaw<unknown[]>`SELECT 1 FROM applied_migrations LIMIT 1`
    if (rows.length === 0) return 'not-migrated'
  } catch {
    return 'not-migrated'
  }
  return (await hasRoom()) ? 'ok' : 'full'
}
