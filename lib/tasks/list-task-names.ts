import { type Ctx, requireRole } from '../context'
import { db } from '../db'

export type TaskName = { id: string; identifier: string; name: string; enabled: boolean }

/** Every task by name, those that are off too, to pick one from. Admins only. */
export async function listTaskNames(ctx: Ctx): Promise<TaskName[]> {
  requireRole(ctx, 'admin')
  return db().task.findMany({
    select: { id: true, identifier: true, name: true, enabled: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
}
