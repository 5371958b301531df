import { type Ctx, requireRole } from '../../kernel/context'
import { parseInput } from '../../kernel/parse-input'
import { type ChangedTask, changeTask } from './change-task'
import { TaskInput, UpdateTask } from './schemas'
import { toForm } from './to-form'

/**
 * Makes a task what the form says, as a new version; runs that are going keep what they began with, and lose tools that
 * its skills no longer list (SPEC R1, G-X). ConflictError when somebody else changed it since `version`. Admins only.
 */
export async function updateTask(
  ctx: Ctx,
  taskId: string,
  input: TaskInput,
  change: UpdateTask,
): Promise<ChangedTask> {
  requireRole(ctx, 'admin')
  const parsed = parseInput(TaskInput, input)
  const { version, note } = parseInput(UpdateTask, change)
  return changeTask(ctx, {
    taskId,
    action: 'task.update',
    version,
    note,
    next: (_, tx) => toForm(tx, parsed),
  })
}
