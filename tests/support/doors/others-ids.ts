import { pool } from '@/lib/kernel/db'

export type OthersIds = Awaited<ReturnType<typeof readOthersIds>>

/** Returns the id of one row of each table that has some, which is about somebody else than this person. */
export async function readOthersIds(userId: string) {
  const { rows: tables } = await pool().query<{ name: string; isOwned: boolean }>(`
    SELECT table_name AS name, bool_or(column_name = 'userId') OR table_name = 'users' AS "isOwned"
    FROM information_schema.columns WHERE table_schema = 'public'
    GROUP BY table_name HAVING bool_or(column_name = 'id' AND data_type = 'uuid') ORDER BY table_name`)
  const ids = new Map<string, string>()
  const owned: string[] = []
  for (const { name, isOwned } of tables) {
    const { rows } = await pool().query<{ id: string }>(
      `SELECT id FROM "${name}" t WHERE strpos(to_jsonb(t)::text, $1) = 0 ORDER BY id DESC LIMIT 1`,
      [userId],
    )
    const [row] = rows
    if (!row) continue
    ids.set(name, row.id)
    if (isOwned) owned.push(row.id)
  }
  return {
    /** Ids of what belongs to other people. */
    owned,
    /** Returns the id that a parameter such as `runId` names; one that nothing has, where no row is there. */
    of: (parameter: string): string => {
      const noun = parameter
        .replace(/Id$/, '')
        .replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`)
      const [, id] = [...ids].find(([table]) => `_${table}`.endsWith(`_${noun}s`)) ?? []
      return id ?? '01a20071-0000-7000-8000-000000000000'
    },
  }
}
