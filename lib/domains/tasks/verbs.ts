import { z } from 'zod'
import type { Ctx } from '../../kernel/context'
import { type ChangeTx, isUniqueViolation, type PolicyTx, type Tx } from '../../kernel/db'
import { AppError, ConflictError, NotFoundError, ValidationError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/policy-lock'
import { type Change, changed, unchanged, verb } from '../../kernel/verb'
import { TaskForm } from '../../protocol/task-form'
import { CloneTask, TaskInput, UpdateTask } from './schemas'
import { diffTasks, taskReason } from './shape'
import { columnsOf, formOf, newVersion, requireTask, skillRows, toForm, toInput } from './task-rows'

const Added = z.object({ id: z.string() })
const OneTask = z.object({ taskId: z.string() })
/** `changed` is false when nothing changed. */
const ChangedTask = z.object({ version: z.int(), changed: z.boolean() })
type ChangedTask = z.output<typeof ChangedTask>

/** Throws ConflictError when the identifier is taken. */
export const createTask = verb({
  name: 'task.create',
  role: 'admin',
  scope: 'tasks:write',
  summary: 'Adds a task.',
  input: TaskInput,
  output: Added,
  audits: ['task.create'],
  transaction: changePolicy,
  run: async ({ tx, ctx }, input) => addTask(tx, ctx, await toForm(tx, input)),
})

/** Throws ConflictError when the identifier is taken. */
export const cloneTask = verb({
  name: 'task.clone',
  role: 'admin',
  scope: 'tasks:write',
  summary: 'Adds a task like another one, with its skills, under a name of its own.',
  input: CloneTask,
  output: Added,
  audits: ['task.create'],
  transaction: changePolicy,
  run: async ({ tx, ctx }, { taskId, ...names }) => {
    const form = formOf(await requireTask(tx, taskId))
    return addTask(tx, ctx, { ...form, ...names }, `A copy of ${form.identifier}.`)
  },
})

async function addTask(
  tx: ChangeTx,
  ctx: Ctx,
  form: TaskForm,
  note = '',
): Promise<Change<{ id: string }, 'task.create'>> {
  const data = {
    ...columnsOf(form),
    skills: { create: skillRows(form) },
    versions: { create: newVersion(ctx, 1, form, note) },
  }
  const { id } = await tx.task.create({ data }).catch(explainTakenIdentifier)
  return changed({ id }, { action: 'task.create', subject: id, after: form, reason: note })
}

function explainTakenIdentifier(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new ConflictError('Another task has this identifier.', 'identifier')
}

/**
 * Updates a task. Active runs keep what they began with, and lose tools that its skills no longer list (SPEC R1, G-X).
 * Throws ConflictError when somebody else changed it since `version`, or when the identifier is taken.
 */
export const updateTask = verb({
  name: 'task.update',
  role: 'admin',
  scope: 'tasks:write',
  summary: 'Makes a task what the form says, as a new version.',
  input: UpdateTask,
  output: ChangedTask,
  transaction: changePolicy,
  run: async ({ tx, ctx }, { taskId, version, note, ...input }) => {
    const row = await requireTask(tx, taskId)
    if (version !== row.version) {
      throw new ConflictError(
        `Somebody changed ${row.name} in the meantime: it is at version ${row.version}, you opened version ${version}. Load it again; you can copy your text first.`,
      )
    }
    return writeVersion(tx, ctx, row, await toForm(tx, input), note)
  },
})

/**
 * Restores a version as a new one. Throws NotFoundError when there is no such version, ConflictError when a skill or
 * the configuration that it used no longer exists.
 */
export const restoreTaskVersion = verb({
  name: 'task.restore',
  role: 'admin',
  scope: 'tasks:write',
  summary: 'Brings an old version of a task back as a new one.',
  input: OneTask.extend({ version: z.int().positive() }),
  output: ChangedTask,
  transaction: changePolicy,
  run: async ({ tx, ctx }, { taskId, version }) => {
    const row = await requireTask(tx, taskId)
    const form = await readVersion(tx, row.id, version)
    return writeVersion(tx, ctx, row, form, `Version ${version} was restored.`)
  },
})

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

/**
 * Changes a task and stores it as a new version. Call it in a policy change: gates read the skills of a task, so no
 * call starts during the change, and active runs are notified (SPEC G-F).
 */
async function writeVersion(
  tx: PolicyTx,
  ctx: Ctx,
  row: Awaited<ReturnType<typeof requireTask>>,
  after: TaskForm,
  note: string,
): Promise<Change<ChangedTask>> {
  const { id } = row
  const before = formOf(row)
  const fields = diffTasks(before, after).map(({ field }) => field)
  if (fields.length === 0) return unchanged({ version: row.version, changed: false })
  const version = row.version + 1
  const { count } = await tx.task
    .updateMany({
      where: { id, version: row.version },
      data: { ...columnsOf(after), version },
    })
    .catch(explainTakenIdentifier)
  if (count === 0)
    throw new ConflictError('Somebody changed the task at the same moment. Try again.')
  await tx.taskSkill.deleteMany({ where: { taskId: id } })
  await tx.taskSkill.createMany({
    data: skillRows(after).map((skill) => ({ taskId: id, ...skill })),
  })
  const data = { taskId: id, ...newVersion(ctx, version, after, note) }
  await tx.taskVersion.create({ data })
  return changed(
    { version, changed: true },
    {
      subject: id,
      before: { identifier: before.identifier, version: row.version, ...only(before, fields) },
      after: { identifier: after.identifier, version, ...only(after, fields) },
      reason: note,
    },
  )
}

function only(form: TaskForm, fields: readonly (keyof TaskForm)[]): Partial<TaskForm> {
  return Object.fromEntries(fields.map((field) => [field, form[field]]))
}

/**
 * Switches a task. Nobody can start one that is off, so that needs a reason; active runs continue. Returns false when
 * nothing changed.
 */
export const setTaskEnabled = verb({
  name: 'task.switch',
  role: 'admin',
  scope: 'tasks:write',
  summary: 'Switches a task on or off.',
  reason: 'optional',
  input: OneTask.extend({ enabled: z.boolean() }),
  output: z.boolean(),
  audits: ['task.switch-on', 'task.switch-off'],
  transaction: changePolicy,
  run: async ({ tx, reason }, { taskId, enabled }) => {
    if (!enabled && reason === '') {
      throw new ValidationError({ reason: taskReason })
    }
    const { id, identifier } = await requireTask(tx, taskId)
    const { task } = tx
    const { count } = await task.updateMany({
      where: { id, enabled: !enabled },
      data: { enabled },
    })
    if (count === 0) return unchanged(false)
    return changed(true, {
      action: enabled ? 'task.switch-on' : 'task.switch-off',
      subject: id,
      before: { identifier, enabled: !enabled },
      after: { identifier, enabled },
    })
  },
})

/**
 * Deletes a task. Its runs stay and keep its name in their journals; active ones lose the tools that only its skills
 * listed.
 */
export const deleteTask = verb({
  name: 'task.delete',
  role: 'admin',
  scope: 'tasks:write',
  summary: 'Deletes a task with its versions.',
  input: OneTask,
  transaction: changePolicy,
  run: async ({ tx }, { taskId }) => {
    const task = await requireTask(tx, taskId)
    const { id, version } = task
    await tx.task.delete({ where: { id } })
    return changed(undefined, { subject: id, before: { ...formOf(task), version } })
  },
})
