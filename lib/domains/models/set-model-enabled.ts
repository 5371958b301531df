import type { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { readModelUses } from './read-model-uses'
import { requireModel } from './require-model'
import { SetModelEnabled } from './schemas'

/**
 * Switches a model on or off. Off, it drops out of fallback chains, and configurations whose own model it is cannot be
 * used; runs under way on it end (SPEC G-R). Switching off one that configurations use needs a reason. False when it stood so
 * already. Admins only.
 */
export async function setModelEnabled(
  ctx: Ctx,
  modelId: string,
  input: SetModelEnabled,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const wanted = parseInput(SetModelEnabled, input)
  return changePolicy(async (tx) => switchModel(tx, ctx, await requireModel(tx, modelId), wanted))
}

/** The same as a part of a policy change, with the model as `requireModel` gave it. */
export async function switchModel(
  tx: Tx,
  ctx: Ctx,
  model: Awaited<ReturnType<typeof requireModel>>,
  { enabled, reason }: z.output<typeof SetModelEnabled>,
): Promise<boolean> {
  if (model.enabled === enabled) return false
  const users = (await readModelUses(tx, model.id)).map(({ name }) => name)
  if (!enabled && users.length > 0 && reason === '') {
    throw new ValidationError({ reason: 'Give a reason: other people use this model.' })
  }
  await tx.model.update({ where: { id: model.id }, data: { enabled } })
  const about = { modelId: model.modelId, connection: model.connection.name }
  await recordAudit(tx, ctx, {
    action: enabled ? 'model.enable' : 'model.disable',
    objectType: 'model',
    objectId: model.id,
    before: { ...about, enabled: !enabled },
    after: { ...about, enabled, configurations: users },
    reason,
  })
  return true
}
