import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { NotFoundError } from '../errors'
import type { ModelPrice } from '../generated/prisma/client'
import { pricesOf } from '../model-prices'
import { parseId } from '../parse-id'
import type { ModelDetails, PriceListing } from './schemas'
import { asListing, toModelListing } from './to-model-listing'

/** One model with all its prices. NotFoundError when there is none. Admins only. */
export async function readModel(ctx: Ctx, modelId: string): Promise<ModelDetails> {
  requireRole(ctx, 'admin')
  const id = parseId(modelId, 'The model')
  const now = new Date()
  const row = await db().model.findUnique({ where: { id }, include: asListing(now) })
  if (!row) throw new NotFoundError('The model')
  const [history, first] = await Promise.all([
    db().modelPrice.findMany({ where: { modelRecordId: id }, orderBy: { validFrom: 'desc' } }),
    db().usageRecord.findFirst({
      where: { modelRecordId: id },
      orderBy: { at: 'asc' },
      select: { run: { select: { createdAt: true } } },
    }),
  ])
  return {
    ...toModelListing(row, now),
    history: history.map(toPriceListing),
    currentPriceId: history.find(({ validFrom }) => validFrom <= now)?.id ?? null,
    firstRunAt: first?.run.createdAt.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

function toPriceListing(row: ModelPrice): PriceListing {
  return {
    id: row.id,
    validFrom: row.validFrom.toISOString(),
    prices: pricesOf({ prices: [row] }),
    source: row.source,
    createdBy: row.createdByLabel,
    createdAt: row.createdAt.toISOString(),
  }
}
