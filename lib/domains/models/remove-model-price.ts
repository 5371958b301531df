import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { requireModel } from './require-model'
import { priceFacts } from './set-model-price'

/** Takes a price out of a model's history; the one before it then holds until the next. Admins only. */
export async function removeModelPrice(
  ctx: Ctx,
  modelId: string,
  priceId: string,
  input: WithReason,
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(priceId, 'The price')
  const { reason } = parseInput(WithReason, input)
  await withTransaction(async (tx) => {
    const model = await requireModel(tx, modelId)
    const row = await tx.modelPrice.findFirst({ where: { id, modelRecordId: model.id } })
    if (!row) throw new NotFoundError('The price')
    await tx.modelPrice.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'model.remove-price',
      objectType: 'model',
      objectId: model.id,
      before: { modelId: model.modelId, connection: model.connection.name, ...priceFacts(row) },
      reason,
    })
  })
}
