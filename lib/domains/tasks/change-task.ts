import { auditLabel, type Ctx } from '../../kernel/context'
import { isUniqueViolation, type Tx } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { storedSchema } from '../../protocol/parameter-values'
import { diffTasks } from '../../protocol/task-diff'
import type { TaskForm } from '../../protocol/task-form'
import { recordAudit } from '../audit/record-audit'
import { formOf, requireTask } from './whole-task'

export type TaskChange = {
  taskId: string
  /** Of the audit: `task.update`. */
  action: string
  note?: string
  /** The version whoever changes it has seen; left out = whatever it is. */
  version?: number
  /** What it becomes; the same form = nothing is to be done. */
  next: (before: TaskForm, tx: Tx) => TaskForm | Promise<TaskForm>
}

export type ChangedTask = { version: number; changed: boolean }

/**
 * Changes a task and keeps what it is then as a new version. Gates read its skills, so no call starts while it is
 * changed, and runs hear of it (SPEC G-F). ConflictError when it is at another version than was seen, or when the
 * identifier is taken.
 */
export async function changeTask(ctx: Ctx, change: TaskChange): Promise<ChangedTask> {
  try {
    return await changePolicy(async (tx) => {
      const row = await requireTask(tx, change.taskId)
      requireSeen(row, change.version)
      const before = formOf(row)
      const after = await change.next(before, tx)
      const fields = diffTasks(before, after).map(({ field }) => field)
      if (fields.length === 0) return { version: row.version, changed: false }
      const version = row.version + 1
      await write(tx, ctx, { id: row.id, version, after, note: change.note ?? '' })
      await recordAudit(tx, ctx, {
        action: change.action,
        objectType: 'task',
        objectId: row.id,
        before: { identifier: before.identifier, version: row.version, ...only(before, fields) },
        after: { identifier: after.identifier, version, ...only(after, fields) },
        reason: change.note ?? '',
      })
      return { version, changed: true }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw takenIdentifier()
    throw error
  }
}

export function takenIdentifier(): ConflictError {
  return new ConflictError('Another task has this identifier.', 'identifier')
}

/** The row of one version of a task, as whoever made it leaves it. */
export function newVersion(ctx: Ctx, version: number, form: TaskForm, note: string) {
  return { version, data: stored(form), note, createdByLabel: auditLabel(ctx) }
}

/** The columns of a task; its skills are rows of their own. */
export function columnsOf({ configuration, skills: _, ...facts }: TaskForm) {
  return { ...stored(facts), configurationId: configuration?.id ?? null }
}

function stored<T extends Pick<TaskForm, 'outputSchema'>>(form: T) {
  return { ...form, outputSchema: storedSchema(form.outputSchema) }
}

export function skillRows({ skills }: TaskForm) {
  return skills.map(({ id: skillId, enabled }, position) => ({ skillId, enabled, position }))
}

function requireSeen(row: { version: number; name: string }, seen: number | undefined): void {
  if (seen === undefined || seen === row.version) return
  throw new ConflictError(
    `Somebody changed ${row.name} in the meantime: it is at version ${row.version}, you opened version ${seen}. Load it again; you can copy your text first.`,
  )
}

type Written = { id: string; version: number; after: TaskForm; note: string }

async function write(tx: Tx, ctx: Ctx, { id, version, after, note }: Written): Promise<void> {
  const { count } = await tx.task.updateMany({
    where: { id, version: version - 1 },
    data: { ...columnsOf(after), version },
  })
  if (count === 0)
    throw new ConflictError('Somebody changed the task at the same moment. Try again.')
  await tx.taskSkill.deleteMany({ where: { taskId: id } })
  await tx.taskSkill.createMany({
    data: skillRows(after).map((row) => ({ taskId: id, ...row })),
  })
  await tx.taskVersion.create({ data: { taskId: id, ...newVersion(ctx, version, after, note) } })
}

function only(form: TaskForm, fields: readonly (keyof TaskForm)[]): Partial<TaskForm> {
  return Object.fromEntries(fields.map((field) => [field, form[field]]))
}
