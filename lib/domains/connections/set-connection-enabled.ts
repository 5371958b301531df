import { z } from 'zod'
import type { Connection } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { AuditReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
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
  const wanted = parseInput(SetConnectionEnabled, input)
  return changePolicy(async (tx) => switchConnection(tx, ctx, await lockConnection(tx, id), wanted))
}

/** The same as a part of a policy change, with the connection as `lockConnection` gave it. */
export async function switchConnection(
  tx: Tx,
  ctx: Ctx,
  { id, name, enabled: before }: Connection,
  { enabled, reason }: z.output<typeof SetConnectionEnabled>,
): Promise<boolean> {
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
}
