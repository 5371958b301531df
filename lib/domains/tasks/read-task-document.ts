import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { TaskDocument } from '../../protocol/task-form'
import type { TaskInput } from './schemas'

/** What a file or a request says of a task, as the verbs take it. ValidationError for names of nothing. Admins only. */
export async function readTaskDocument(ctx: Ctx, input: unknown): Promise<TaskInput> {
  requireRole(ctx, 'admin')
  const { configuration, skills, ...facts } = parseInput(TaskDocument, input)
  return {
    ...facts,
    configurationId: await configurationNamed(configuration),
    skills: await skillsNamed(skills),
  }
}

async function configurationNamed(name: string | null): Promise<string | null> {
  if (name === null) return null
  const id = z.uuid().safeParse(name)
  const row = await db().configuration.findFirst({
    where: id.success ? { id: id.data } : { identifier: name },
    select: { id: true },
  })
  if (row) return row.id
  throw new ValidationError({
    configuration: `There is no configuration ${JSON.stringify(name)}. Give its identifier.`,
  })
}

async function skillsNamed(skills: TaskDocument['skills']) {
  const rows = await db().skill.findMany({
    where: { name: { in: skills.map(({ name }) => name) } },
    select: { id: true, name: true },
  })
  const idOf = new Map(rows.map(({ id, name }) => [name, id]))
  return skills.map(({ name, enabled }) => {
    const id = idOf.get(name)
    if (id !== undefined) return { id, enabled }
    throw new ValidationError({
      skills: `There is no skill ${JSON.stringify(name.slice(0, 100))}. Give the name of an existing skill.`,
    })
  })
}
