import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, type Tx, withTransaction } from '../../kernel/db'
import { parseInput } from '../../kernel/parse-input'
import type { TaskForm } from '../../protocol/task-form'
import { recordAudit } from '../audit/record-audit'
import { columnsOf, newVersion, skillRows, takenIdentifier } from './change-task'
import { TaskFields, TaskInput } from './schemas'
import { toForm } from './to-form'
import { formOf, requireTask } from './whole-task'

/** Adds a saved prompt. ConflictError when the identifier is taken. Admins only. */
export async function createTask(ctx: Ctx, input: TaskInput): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const parsed = parseInput(TaskInput, input)
  return addTask(ctx, async (tx) => ({ form: await toForm(tx, parsed), note: '' }))
}

/** The transaction behind creating and cloning. */
async function addTask(
  ctx: Ctx,
  read: (tx: Tx) => Promise<{ form: TaskForm; note: string }>,
): Promise<{ id: string }> {
  try {
    return await withTransaction(async (tx) => {
      const { form, note } = await read(tx)
      const { id } = await tx.task.create({
        data: {
          ...columnsOf(form),
          skills: { create: skillRows(form) },
          versions: { create: newVersion(ctx, 1, form, note) },
        },
      })
      await recordAudit(tx, ctx, {
        action: 'task.create',
        objectType: 'task',
        objectId: id,
        after: form,
        reason: note,
      })
      return { id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw takenIdentifier()
    throw error
  }
}

const Clone = z.object({ identifier: TaskFields.identifier, name: TaskFields.name })
type CloneTask = z.input<typeof Clone>

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
