import { type Ctx, requireRole } from '../context'
import { db } from '../db'

/** The actions and kinds of objects that occur, for the filter to offer. Admins only. */
export async function listAuditWords(
  ctx: Ctx,
): Promise<{ actions: string[]; objectTypes: string[] }> {
  requireRole(ctx, 'admin')
  const [actions, objectTypes] = await Promise.all([
    db().auditEntry.groupBy({ by: ['action'], orderBy: { action: 'asc' } }),
    db().auditEntry.groupBy({ by: ['objectType'], orderBy: { objectType: 'asc' } }),
  ])
  return {
    actions: actions.map(({ action }) => action),
    objectTypes: objectTypes.map(({ objectType }) => objectType),
  }
}
