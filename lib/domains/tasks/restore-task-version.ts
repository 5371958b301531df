import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { AppError, ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { TaskForm } from '../../protocol/task-form'
import { type ChangedTask, changeTask } from './change-task'
import { toForm, toInput } from './to-form'

/**
 * Brings an old version back as a new one, so that history only grows. NotFoundError when there is no such version,
 * ConflictError when a skill or the configuration it used is gone, for then it would not be what it was. Admins only.
 */
export async function restoreTaskVersion(
  ctx: Ctx,
  taskId: string,
  version: number,
): Promise<ChangedTask> {
  requireRole(ctx, 'admin')
  return changeTask(ctx, {
    taskId,
    action: 'task.restore',
    note: `Version ${version} was restored.`,
    next: (_, tx) => readVersion(tx, parseId(taskId, 'The task'), version),
  })
}

async function readVersion(tx: Tx, taskId: string, version: number): Promise<TaskForm> {
  const key = { taskId, version }
  const row = await tx.taskVersion.findUnique({ where: { taskId_version: key } })
  if (!row) throw new NotFoundError(`Version ${version}`)
  try {
    return await toForm(tx, toInput(TaskForm.parse(row.data)))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ConflictError(`Version ${version} cannot be restored. ${error.message}`)
  }
}
