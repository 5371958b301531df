import 'server-only'
import { z } from 'zod'
import { unchanged, verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { defaultRunColumns, type RunColumnKey, RunColumns, runColumnsOf } from './view-schemas'

const list = 'runs'

/**
 * Stores a person's columns of the list. They are that person's alone and change nothing else, so the audit has no row
 * of it.
 */
export const chooseRunColumns = verb({
  name: 'run.choose-columns',
  role: 'member',
  scope: null,
  summary: 'Keeps which columns of the list of runs the caller sees.',
  audits: [],
  input: z.object({ columns: RunColumns.nullable() }),
  run: async ({ tx, actor: { userId } }, { columns }) => {
    if (columns === null) await tx.listColumns.deleteMany({ where: { userId, list } })
    else {
      const where = { userId_list: { userId, list } }
      await tx.listColumns.upsert({ where, create: { userId, list, columns }, update: { columns } })
    }
    return unchanged(undefined)
  },
})

/** Returns the columns of the list of runs that the caller chose, or the default ones. */
export async function readRunColumns({ actor: { userId } }: Ctx): Promise<RunColumnKey[]> {
  const row = await db().listColumns.findUnique({ where: { userId_list: { userId, list } } })
  return row ? runColumnsOf(row.columns) : [...defaultRunColumns]
}
