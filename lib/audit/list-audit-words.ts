import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { Prisma } from '../generated/prisma/client'

/** The actions and kinds of objects that occur, for the filter to offer. Admins only. */
export async function listAuditWords(
  ctx: Ctx,
): Promise<{ actions: string[]; objectTypes: string[] }> {
  requireRole(ctx, 'admin')
  const [actions, objectTypes] = await Promise.all([wordsOf('action'), wordsOf('objectType')])
  return { actions, objectTypes }
}

/** Hops from each word to the next in the column's index: as many steps as there are words, not as there are rows. */
async function wordsOf(name: 'action' | 'objectType'): Promise<string[]> {
  const column = Prisma.raw(`"${name}"`)
  const rows = await db().$queryRaw<{ word: string }[]>`
    WITH RECURSIVE words(word) AS (
      (SELECT ${column} FROM audit_entries ORDER BY ${column} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${column} FROM audit_entries WHERE ${column} > words.word ORDER BY ${column} LIMIT 1)
      FROM words WHERE words.word IS NOT NULL
    )
    SELECT word FROM words WHERE word IS NOT NULL ORDER BY word`
  return rows.map(({ word }) => word)
}
