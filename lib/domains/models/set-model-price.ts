import type { ModelPrice } from '../../generated/prisma/client'
import { auditLabel, type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { hasPrice, type Prices } from '../../protocol/cost'
import { recordAudit } from '../audit/record-audit'
import { priceColumns, pricesOf } from '../rows/model-prices'
import { requireModel } from './require-model'
import { SetModelPrice } from './schemas'

/**
 * Says what a model costs from a moment on, in the past, now or later; a price that is there for the same moment is
 * replaced, unless `replace` is false. Runs that ended keep their cost until it is worked out anew (`repriceRuns`); runs that are going keep the
 * prices they began with (SPEC R1). Admins only.
 */
export async function setModelPrice(
  ctx: Ctx,
  modelId: string,
  input: SetModelPrice,
): Promise<{ id: string; validFrom: string }> {
  requireRole(ctx, 'admin')
  const { validFrom, prices, source, replace } = parseInput(SetModelPrice, input)
  if (!hasPrice(prices)) {
    throw new ValidationError({ prices: 'Enter at least one price; 0 means free.' })
  }
  return withTransaction(async (tx) => {
    const model = await requireModel(tx, modelId)
    const at = validFrom === null ? new Date() : new Date(validFrom)
    const key = { modelRecordId: model.id, validFrom: at }
    const where = { modelRecordId_validFrom: key }
    const before = await tx.modelPrice.findUnique({ where })
    if (before && !replace) {
      throw new ValidationError({
        validFrom:
          'There is already a price that starts at this time. Edit that price, or enter another time.',
      })
    }
    const figures = priceColumns(prices)
    const row = { ...figures, source, createdByLabel: auditLabel(ctx), createdAt: new Date() }
    const stored = await tx.modelPrice.upsert({ where, create: { ...key, ...row }, update: row })
    await recordAudit(tx, ctx, {
      action: before ? 'model.change-price' : 'model.add-price',
      objectType: 'model',
      objectId: model.id,
      before: before && priceFacts(before),
      after: {
        modelId: model.modelId,
        connection: model.connection.name,
        ...priceFacts(stored),
      },
    })
    return { id: stored.id, validFrom: stored.validFrom.toISOString() }
  })
}

/** A price row as the audit keeps it. */
export function priceFacts(row: ModelPrice): { validFrom: string; prices: Prices; source: string } {
  return {
    validFrom: row.validFrom.toISOString(),
    prices: pricesOf({ prices: [row] }),
    source: row.source,
  }
}
