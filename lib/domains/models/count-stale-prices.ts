import { z } from 'zod'
import { completeSettings } from '@/lib/domains/connections/shared/connection-settings'
import { pricesOf } from '@/lib/domains/rows/model-prices'
import type { ModelPrice } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { Wire } from '@/lib/protocol/parameters/parameter-values'
import { catalogueAddress } from './catalogue/find-in-catalogue'
import { stalePrice } from './catalogue/stale-price'

const Address = z.object({
  modelId: z.string(),
  wire: Wire,
  baseUrl: z.string().nullable(),
  settings: z.record(z.string(), z.string()),
})

/**
 * Returns how many models have a price that `listModels` calls stale. It is one statement, where that one needs several.
 * Admins only.
 */
export async function countStalePrices(ctx: Ctx): Promise<number> {
  requireRole(ctx, 'admin')
  const now = new Date()
  const rows = await db().$queryRaw<ModelPrice[]>`
    SELECT p.*, m."modelId", c.wire::text AS wire, c."baseUrl", c.settings
    FROM models m JOIN connections c ON c.id = m."connectionId"
      CROSS JOIN LATERAL (
        SELECT * FROM model_prices WHERE "modelRecordId" = m.id AND "validFrom" <= ${now.toISOString()}::timestamp
        ORDER BY "validFrom" DESC LIMIT 1) p`
  return rows.filter((price) => {
    const { modelId, wire, settings, ...stored } = Address.parse(price)
    const address = { wire, ...stored, settings: completeSettings(wire, settings) }
    const model = { wire, modelId, baseUrl: catalogueAddress(address) }
    return stalePrice({ ...model, prices: pricesOf({ prices: [price] }) }, price, now) !== null
  }).length
}
