import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import type { GroupChoice } from './schemas'

/** Every group by name, to pick one from; without looking at who is in it. Admins only. */
export async function listGroupNames(ctx: Ctx): Promise<GroupChoice[]> {
  requireRole(ctx, 'admin')
  return db().group.findMany({ select: { id: true, name: true }, orderBy: { name: 'asc' } })
}
