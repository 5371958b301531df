import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { pricesOf, validPrice } from '../model-prices'
import type { ModelListing } from './schemas'

/** Every model, by connection and name. Admins only. */
export async function listModels(ctx: Ctx): Promise<ModelListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().model.findMany({
    include: { connection: { select: { name: true } }, prices: validPrice(new Date()) },
    orderBy: [{ connection: { name: 'asc' } }, { displayName: 'asc' }],
  })
  return rows.map((row) => ({
    id: row.id,
    connectionId: row.connectionId,
    connectionName: row.connection.name,
    modelId: row.modelId,
    displayName: row.displayName,
    contextTokens: row.contextTokens,
    maxOutputTokens: row.maxOutputTokens,
    toolCalling: row.toolCalling,
    prices: pricesOf(row),
  }))
}
