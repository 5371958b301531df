import { findConfiguration } from '../configurations/find-configuration'
import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { ValidationError } from '../errors'
import { findSkill } from '../skills/find-skill'
import { createTask } from '../tasks/create-task'
import { findTask } from '../tasks/find-task'
import type { TaskInput } from '../tasks/schemas'
import { setTaskEnabled } from '../tasks/set-task-enabled'
import { updateTask } from '../tasks/update-task'
import { formOf, wholeTask } from '../tasks/whole-task'
import type { Handler } from './handler'
import { pick } from './pick'
import type { EntryOf, GivenOf } from './site-file'

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
        costCapUsd: form.costCapMicroUsd,
        costCapMode: form.costCapMode,
        enabled: row.enabled,
        skills: form.skills.map(({ name, enabled }) => ({ name, enabled })),
      }
    })
  },
  create: async (ctx, given, reason) => {
    const { id } = await createTask(ctx, await toInput(ctx, given))
    if (given.enabled === false) await setTaskEnabled(ctx, id, false, { reason })
  },
  update: async (ctx, { before, given, changed }, reason) => {
    const { id } = await findTask(ctx, given.identifier)
    if ([...changed].some((field) => field !== 'enabled')) {
      const { version } = await db().task.findUniqueOrThrow({
        where: { id },
        select: { version: true },
      })
      const input = await toInput(ctx, { ...before, ...given })
      await updateTask(ctx, id, input, { version, note: reason.slice(0, 200) })
    }
    if (given.enabled !== undefined && changed.has('enabled')) {
      await setTaskEnabled(ctx, id, given.enabled, { reason })
    }
  },
}

async function toInput(ctx: Ctx, given: EntryOf<'tasks'> | GivenOf<'tasks'>): Promise<TaskInput> {
  const { name, prompt, configuration, skills, costCapUsd, enabled: _, ...facts } = given
  if (name === undefined || prompt === undefined) {
    throw new ValidationError({ name: 'A new task needs its name and its prompt.' })
  }
  return {
    ...facts,
    name,
    prompt,
    configurationId: configuration ? (await findConfiguration(ctx, configuration)).id : null,
    costCapMicroUsd: costCapUsd ?? null,
    skills: await Promise.all(
      (skills ?? []).map(async (skill) => ({
        id: (await findSkill(ctx, skill.name)).id,
        enabled: skill.enabled,
      })),
    ),
  }
}
