'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { AuditReason } from '@/lib/domains/audit/audit-reason'
import { cloneTask, createTask } from '@/lib/domains/tasks/create-task'
import { deleteTask } from '@/lib/domains/tasks/delete-task'
import { restoreTaskVersion } from '@/lib/domains/tasks/restore-task-version'
import type { TaskInput } from '@/lib/domains/tasks/schemas'
import { setTaskEnabled } from '@/lib/domains/tasks/set-task-enabled'
import { updateTask } from '@/lib/domains/tasks/update-task'
import { customAction } from '@/lib/kernel/action'

const taskId = z.uuid()
/** The verbs parse it, so that each field's error has the field's own name. */
const Form = z.custom<TaskInput>((value) => typeof value === 'object' && value !== null)

export const addTask = customAction(z.object({ form: Form }), 'admin', async (ctx, { form }) => {
  const added = await createTask(ctx, form)
  refresh()
  return { ...added, version: 1 }
})

export const saveTask = customAction(
  z.object({ taskId, version: z.int(), note: z.string(), form: Form }),
  'admin',
  async (ctx, { taskId: id, version, note, form }) => {
    const saved = await updateTask(ctx, id, form, { version, note })
    refresh()
    return { id, ...saved }
  },
)

export const copyTask = customAction(
  z.object({ taskId, identifier: z.string(), name: z.string() }),
  'admin',
  async (ctx, { taskId: id, ...names }) => {
    const copy = await cloneTask(ctx, id, names)
    refresh()
    return copy
  },
)

export const switchTask = customAction(
  z.object({ taskId, enabled: z.boolean(), reason: AuditReason }),
  'admin',
  async (ctx, { taskId: id, enabled, reason }) => {
    await setTaskEnabled(ctx, id, enabled, { reason })
    refresh()
  },
)

export const restoreVersion = customAction(
  z.object({ taskId, version: z.int().positive() }),
  'admin',
  async (ctx, { taskId: id, version }) => {
    const restored = await restoreTaskVersion(ctx, id, version)
    refresh()
    return restored
  },
)

export const removeTask = customAction(
  z.object({ taskId }),
  'admin',
  async (ctx, { taskId: id }) => {
    await deleteTask(ctx, id)
    refresh()
  },
)

function refresh(): void {
  revalidatePath('/tasks', 'layout')
}
