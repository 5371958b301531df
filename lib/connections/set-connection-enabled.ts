import { z } from 'zod'
import { AuditReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { ValidationError } from '../errors'
import { parseId } from '../parse-id'
import { parseInput } from '../parse-input'
import { changePolicy } from '../policy-lock'
import { lockConnection } from './lock-connection'

export const SetConnectionEnabled = z.object({
  enabled: z.boolean('Give true or false.'),
  reason: AuditReason,
})
export type SetConnectionEnabled = z.input<typeof SetConnectionEnabled>

/**
 * Switches a provider on or off. Off: configurations with a model of it as their own close, chains pass over it, and runs
 * under way on it end (SPEC G-R). Off needs a reason.
 * False when nothing changed. Admins only.
 */
export async function setConnectionEnabled(
  ctx: Ctx,
  connectionId: string,
  input: SetConnectionEnabled,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const { enabled, reason } = parseInput(SetConnectionEnabled, input)
  return changePolicy(async (tx) => {
    const { name, enabled: before } = await lockConnection(tx, id)
    if (before === enabled) return false
    if (!enabled && reason === '') {
      throw new ValidationError({ reason: 'Enter a reason. It is stored in the audit.' })
    }
    await tx.connection.update({ where: { id }, data: { enabled } })
    await recordAudit(tx, ctx, {
      action: enabled ? 'connection.enable' : 'connection.disable',
      objectType: 'connection',
      objectId: id,
      before: { name, enabled: before },
      after: { name, enabled },
      reason,
    })
    return true
  })
}
