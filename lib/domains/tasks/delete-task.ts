import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { formOf, requireTask } from './whole-task'

/**
 * Removes a task with its versions. Runs of it stay and keep its name in their journals; those that are going lose what
 * only its skills listed. Admins only.
 */
export async function deleteTask(ctx: Ctx, taskId: string): Promise<void> {
  requireRole(ctx, 'admin')
  await changePolicy(async (tx) => {
    const task = await requireTask(tx, taskId)
    await tx.task.delete({ where: { id: task.id } })
    await recordAudit(tx, ctx, {
      action: 'task.delete',
      objectType: 'task',
      objectId: task.id,
      before: { ...formOf(task), version: task.version },
    })
  })
}
