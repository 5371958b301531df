import type { ModelPrice } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { pricesOf } from '../rows/model-prices'
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
