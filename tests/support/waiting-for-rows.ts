import { db } from '@/lib/kernel/db'

/** Returns how many statements in this test's database wait for a lock of another transaction. */
export async function waitingForRows(): Promise<number> {
  const [row] = await db().$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return row?.waiting ?? 0
}
