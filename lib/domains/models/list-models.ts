import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import type { ModelListing } from './schemas'
import { asListing, toModelListing } from './to-model-listing'

/** Every model with the prices that hold now, by connection and name. Admins only. */
export async function listModels(ctx: Ctx): Promise<ModelListing[]> {
  requireRole(ctx, 'admin')
  const now = new Date()
  const rows = await db().model.findMany({
    include: asListing(now),
    orderBy: [{ connection: { name: 'asc' } }, { displayName: 'asc' }],
  })
  return rows.map((row) => toModelListing(row, now))
}
