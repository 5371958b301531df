import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { requireTask } from './whole-task'

/**
 * Lets nobody start a task any more, which needs a reason, or everybody who could before. Runs that are going go on.
 * False when it stood so already. Admins only.
 */
export async function setTaskEnabled(
  ctx: Ctx,
  taskId: string,
  enabled: boolean,
  input: WithReason = {},
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(WithReason, input)
  if (!enabled && reason === '') {
    throw new ValidationError({ reason: 'Give a reason: other people run this task.' })
  }
  return withTransaction(async (tx) => {
    const { id, identifier } = await requireTask(tx, taskId)
    const { count } = await tx.task.updateMany({
      where: { id, enabled: !enabled },
      data: { enabled },
    })
    if (count === 0) return false
    await recordAudit(tx, ctx, {
      action: enabled ? 'task.switch-on' : 'task.switch-off',
      objectType: 'task',
      objectId: id,
      before: { identifier, enabled: !enabled },
      after: { identifier, enabled },
      reason,
    })
    return true
  })
}
