import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import type { GroupChoice } from './schemas'

/** Every group by name, to pick one from; without looking at who is in it. Admins only. */
export async function listGroupNames(ctx: Ctx): Promise<GroupChoice[]> {
  requireRole(ctx, 'admin')
  return db().group.findMany({ select: { id: true, name: true }, orderBy: { name: 'asc' } })
}
