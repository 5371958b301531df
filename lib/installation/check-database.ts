import 'server-only'
import { isStarting, isWithoutTable, outageOf } from '@/lib/kernel/database-errors'
import { hasRoom, pool } from '@/lib/kernel/db'

export type DatabaseState = 'ok' | 'unreachable' | 'starting' | 'crowded' | 'not-migrated' | 'full'

/** A balancer that asks whether this server is ready waits no longer. */
const limitMs = 2_000

/** Says whether the database answers, was migrated and has room on its disk, within 2 s. Never throws. */
export async function checkDatabase(): Promise<DatabaseState> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'unreachable'>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'unreachable')
  })
  try {
    return await Promise.race([askDatabase(), late])
  } finally {
    clearTimeout(timer)
  }
}

async function askDatabase(): Promise<DatabaseState> {
  try {
    const { rowCount } = await pool().query('SELECT 1 FROM applied_migrations LIMIT 1')
    if (rowCount === 0) return 'not-migrated'
  } catch (error) {
    if (isWithoutTable(error)) return 'not-migrated'
    if (isStarting(error)) return 'starting'
    return outageOf(error) === 'crowded' ? 'crowded' : 'unreachable'
  }
  return (await hasRoom()) ? 'ok' : 'full'
}
