import { z } from 'zod'
import { type Ctx, requireRole } from '../context'
import { parseInput } from '../parse-input'
import { addTask } from './create-task'
import { TaskFields } from './schemas'
import { formOf, requireTask } from './whole-task'

const Clone = z.object({ identifier: TaskFields.identifier, name: TaskFields.name })
export type CloneTask = z.input<typeof Clone>

/** Adds a task like another one, with its skills, under a name of its own. ConflictError when that is taken. Admins only. */
export async function cloneTask(
  ctx: Ctx,
  taskId: string,
  input: CloneTask,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const names = parseInput(Clone, input)
  return addTask(ctx, async (tx) => {
    const form = formOf(await requireTask(tx, taskId))
    return { form: { ...form, ...names }, note: `A copy of ${form.identifier}.` }
  })
}
