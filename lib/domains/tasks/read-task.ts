import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import { TaskForm } from '../../protocol/task-form'
import type { TaskVersionView } from './schemas'
import { formOf, requireTask } from './whole-task'

/** `runs`: how many there are of it, whoever started them. Times are ISO text in UTC. */
export type TaskDetail = {
  id: string
  enabled: boolean
  version: number
  form: TaskForm
  runs: number
  createdAt: string
  updatedAt: string
}

/** A task with everything of it but its history. NotFoundError when there is none. Admins only. */
export async function readTask(ctx: Ctx, taskId: string): Promise<TaskDetail> {
  requireRole(ctx, 'admin')
  const task = await requireTask(db(), taskId)
  return {
    id: task.id,
    enabled: task.enabled,
    version: task.version,
    form: formOf(task),
    runs: await db().run.count({ where: { taskId: task.id } }),
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
  }
}

/** Older versions stay in the database; a page of them is enough to compare with. */
const shownVersions = 50

/** The last 50 versions of a task, newest first; none for one that does not exist. Admins only. */
export async function listTaskVersions(ctx: Ctx, taskId: string): Promise<TaskVersionView[]> {
  requireRole(ctx, 'admin')
  const rows = await db().taskVersion.findMany({
    where: { taskId: parseId(taskId, 'The task') },
    orderBy: { version: 'desc' },
    take: shownVersions,
  })
  return rows.map(({ version, data, note, createdByLabel, createdAt }) => ({
    version,
    form: TaskForm.parse(data),
    note,
    createdByLabel,
    createdAt: createdAt.toISOString(),
  }))
}
