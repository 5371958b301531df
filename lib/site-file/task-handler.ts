import { findConfiguration } from '../domains/configurations/reads'
import { findTask } from '../domains/tasks/reads'
import type { TaskInput } from '../domains/tasks/schemas'
import { toInput as asInput, formOf, requireTask, wholeTask } from '../domains/tasks/task-rows'
import { createTask, setTaskEnabled, updateTask } from '../domains/tasks/verbs'
import { type Ctx, requireRole } from '../kernel/context'
import { db } from '../kernel/db'
import { ValidationError } from '../kernel/errors'
import { pick } from '../protocol/parameters'
import { only } from './entry'
import type { EntryChange, Handler } from './handler'
import type { GivenOf } from './site-file'
import { findSkills } from './skill-handler'

/** Saved prompts, with what they refer to by name. */
export const taskHandler: Handler<'tasks'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await db().task.findMany({
      include: {
        ...wholeTask,
        configuration: { select: { id: true, name: true, identifier: true } },
      },
      orderBy: { identifier: 'asc' },
    })
    return rows.map((row) => {
      const form = formOf(row)
      return {
        identifier: form.identifier,
        ...pick(form, ['name', 'description', 'prompt', 'variables']),
        configuration: row.configuration?.identifier ?? null,
        outputSchema: form.outputSchema,
        costCapUsd: form.costCapMicroUsd,
        costCapMode: form.costCapMode,
        enabled: row.enabled,
        skills: form.skills.map(({ name, enabled }) => ({ name, enabled })),
      }
    })
  },
  work: (change) => {
    const { before, given, changed } = change
    const isTurned = before !== null && changed.has('enabled')
    const turn = (ctx: Ctx, reason: string) => turnTo(ctx, given, reason)
    return {
      narrow: isTurned && given.enabled === false ? turn : undefined,
      write: (ctx, reason) => (before ? update(ctx, change, reason) : create(ctx, given, reason)),
      finish: isTurned && given.enabled ? turn : undefined,
    }
  },
}

type Given = GivenOf<'tasks'>

async function create(ctx: Ctx, given: Given, reason: string): Promise<void> {
  const { identifier, name, prompt } = given
  if (name === undefined || prompt === undefined) {
    throw new ValidationError({ name: 'A new task needs its name and its prompt.' })
  }
  await createTask(ctx, { identifier, name, prompt, ...(await toInput(ctx, given)) })
  if (given.enabled === false) await turnTo(ctx, given, reason)
}

/** Updates the current task, so that changes that somebody else made meanwhile stay. */
async function update(
  ctx: Ctx,
  { given, changed }: EntryChange<'tasks'>,
  reason: string,
): Promise<void> {
  const wanted = await toInput(ctx, only(given, changed))
  if (Object.keys(wanted).length === 0) return
  const { id } = await findTask(ctx, given.identifier)
  const task = await requireTask(db(), id)
  const change = { taskId: id, version: task.version, note: reason.slice(0, 200) }
  await updateTask(ctx, { ...asInput(formOf(task)), ...wanted, ...change })
}

async function turnTo(ctx: Ctx, { identifier, enabled }: Given, reason: string): Promise<void> {
  const { id } = await findTask(ctx, identifier)
  await setTaskEnabled(ctx, { taskId: id, enabled: enabled ?? true, reason })
}

/** Returns the file's fields, with ids in place of names. */
async function toInput(ctx: Ctx, given: Given): Promise<Partial<TaskInput>> {
  const { configuration, skills, costCapUsd } = given
  return {
    ...pick(given, ['name', 'description', 'prompt', 'variables', 'outputSchema', 'costCapMode']),
    ...(costCapUsd !== undefined && { costCapMicroUsd: costCapUsd }),
    ...(configuration !== undefined && {
      configurationId: configuration && (await findConfiguration(ctx, configuration)).id,
    }),
    ...(skills && {
      skills: (await findSkills(ctx, skills)).map(({ skillId, enabled }) => ({
        id: skillId,
        enabled,
      })),
    }),
  }
}
