import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import type { ModelListing } from './schemas'

/** Every model, by connection and name. Admins only. */
export async function listModels(ctx: Ctx): Promise<ModelListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().model.findMany({
    include: { connection: { select: { name: true } } },
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
    prices: {
      input: row.inputPrice,
      output: row.outputPrice,
      cachedInput: row.cachedInputPrice,
      cacheWrite: row.cacheWritePrice,
      reasoning: row.reasoningPrice,
    },
  }))
}
