import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { readModelUses } from './read-model-uses'
import { requireModel } from './require-model'

/**
 * Removes a model with its prices; runs and usage keep what they were. ConflictError while configurations have it,
 * which names them. Admins only.
 */
export async function deleteModel(ctx: Ctx, modelId: string, input: WithReason): Promise<void> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(WithReason, input)
  await changePolicy(async (tx) => {
    // The lock keeps configurations from taking it while it is being asked who has it.
    const { id, modelId: name, displayName, connection } = await requireModel(tx, modelId)
    const users = await readModelUses(tx, id)
    if (users.length > 0) {
      const names = users.map((use) => use.name).join(', ')
      throw new ConflictError(`${displayName} is used by ${names}. Change their model first.`)
    }
    await tx.model.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'model.delete',
      objectType: 'model',
      objectId: id,
      before: { modelId: name, displayName, connection: connection.name },
      reason,
    })
  })
}
