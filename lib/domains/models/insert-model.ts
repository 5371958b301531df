import type { z } from 'zod'
import { auditLabel, type Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { hasPrice } from '../../protocol/cost'
import { recordAudit } from '../audit/record-audit'
import { priceColumns } from '../rows/model-prices'
import { newSources } from './model-facts'
import type { CreateModel } from './schemas'

/** Writes a new model, its first price when one is known, and the audit. Part of a verb's transaction. */
export async function insertModel(
  tx: Tx,
  ctx: Ctx,
  input: z.output<typeof CreateModel>,
  connectionName: string,
): Promise<{ id: string }> {
  const { prices, priceSource, reported, ...facts } = input
  const sources = newSources(facts, reported)
  const first = { ...priceColumns(prices), source: priceSource, createdByLabel: auditLabel(ctx) }
  const model = await tx.model.create({
    data: {
      ...facts,
      ...sources,
      ...(hasPrice(prices) && { prices: { create: { ...first, validFrom: new Date() } } }),
    },
  })
  await recordAudit(tx, ctx, {
    action: 'model.create',
    objectType: 'model',
    objectId: model.id,
    after: { ...facts, ...sources, prices, connection: connectionName },
  })
  return { id: model.id }
}
