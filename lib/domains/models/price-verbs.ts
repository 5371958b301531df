import { z } from 'zod'
import { priceColumns, pricesOf } from '@/lib/domains/rows/model-prices'
import { changed, verb } from '@/lib/edge/verb'
import type { ModelPrice } from '@/lib/generated/prisma/client'
import { auditLabel } from '@/lib/kernel/context'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { hasPrice } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import { catalogueSays, factsToTake } from './catalogue/catalogue-says'
import { readModel } from './reads'
import { SetModelPrice } from './schemas'
import { requireModel, updateModel } from './verbs'

/**
 * A price for the same moment is replaced, unless `replace` is false. Runs that ended keep their cost until it is
 * recomputed (`repriceRuns`); active runs keep the prices they began with (SPEC R1).
 */
export const setModelPrice = verb({
  name: 'model.set-price',
  role: 'admin',
  scope: 'models:write',
  summary: 'Sets the prices of a model from now on or from a time.',
  input: SetModelPrice.extend({ id: z.string() }),
  output: z.object({ id: z.string(), validFrom: z.string() }),
  audits: ['model.add-price', 'model.change-price'],
  transaction: changePolicy,
  run: async ({ tx, ctx }, { id, validFrom, prices, source, replace }) => {
    const model = await requireModel(tx, id)
    if (!hasPrice(prices)) {
      throw new ValidationError({ prices: 'Enter at least one price; 0 means free.' })
    }
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
    const about = { modelId: model.modelId, connection: model.connection.name }
    return changed(
      { id: stored.id, validFrom: stored.validFrom.toISOString() },
      {
        action: before ? 'model.change-price' : 'model.add-price',
        subject: model.id,
        before: before && audited(before),
        after: { ...about, ...audited(stored) },
      },
    )
  },
})

/** Deletes a price. The one before it is then valid until the next. */
export const removeModelPrice = verb({
  name: 'model.remove-price',
  role: 'admin',
  scope: 'models:write',
  summary: 'Removes a price from the history of a model.',
  reason: 'optional',
  input: z.object({ id: z.string(), priceId: z.string() }),
  transaction: changePolicy,
  run: async ({ tx }, input) => {
    const id = parseId(input.priceId, 'The price')
    const model = await requireModel(tx, input.id)
    const row = await tx.modelPrice.findFirst({ where: { id, modelRecordId: model.id } })
    if (!row) throw new NotFoundError('The price')
    await tx.modelPrice.delete({ where: { id } })
    const about = { modelId: model.modelId, connection: model.connection.name }
    return changed(undefined, { subject: model.id, before: { ...about, ...audited(row) } })
  },
})

/** Returns the audited fields of a price. */
function audited(row: ModelPrice): { validFrom: string; prices: Prices; source: string } {
  return {
    validFrom: row.validFrom.toISOString(),
    prices: pricesOf({ prices: [row] }),
    source: row.source,
  }
}

/**
 * Stores the facts of the catalogue, or its prices from now on with their source. Returns false when there is nothing
 * to store. Throws ConflictError when the catalogue does not know the model.
 */
export const takeFromCatalogue = verb({
  name: 'model.take-from-catalogue',
  role: 'admin',
  scope: 'models:write',
  summary: 'Takes the facts or the prices of the catalogue over.',
  input: z.object({ id: z.string(), part: z.enum(['facts', 'prices']) }),
  output: z.boolean(),
  transaction: false,
  run: async ({ ctx }, { id, part }) => {
    const word = catalogueSays(await readModel(ctx, { id }))
    if (!word) throw new ConflictError('The catalogue does not know this model.')
    if (part === 'facts') return updateModel(ctx, { id, ...factsToTake(word) })
    const { prices, sources, readOn } = word.entry
    if (!prices || word.prices === 'same') return false
    await setModelPrice(ctx, { id, prices, source: `${sources[0]} (read ${readOn})` })
    return true
  },
})
