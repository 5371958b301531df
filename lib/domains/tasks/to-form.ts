import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import type { TaskForm } from '../../protocol/task-form'
import type { CheckedTask } from './schemas'

/** What was sent, with the names of what it refers to. ValidationError when one of them is gone. */
export async function toForm(tx: Tx, input: CheckedTask): Promise<TaskForm> {
  const { configurationId, skills, ...facts } = input
  return {
    ...facts,
    configuration: await findConfiguration(tx, configurationId),
    skills: await findSkills(tx, skills),
  }
}

/** The form as it would be sent again. */
export function toInput({ configuration, skills, ...facts }: TaskForm): CheckedTask {
  return {
    ...facts,
    configurationId: configuration?.id ?? null,
    skills: skills.map(({ id, enabled }) => ({ id, enabled })),
  }
}

async function findConfiguration(tx: Tx, id: string | null): Promise<TaskForm['configuration']> {
  if (id === null) return null
  const row = await tx.configuration.findUnique({ where: { id }, select: { id: true, name: true } })
  if (row) return row
  throw new ValidationError({
    configurationId: 'This configuration no longer exists. Pick another.',
  })
}

async function findSkills(tx: Tx, skills: CheckedTask['skills']): Promise<TaskForm['skills']> {
  const rows = await tx.skill.findMany({
    where: { id: { in: skills.map(({ id }) => id) } },
    select: { id: true, name: true },
  })
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  return skills.map(({ id, enabled }) => {
    const name = nameOf.get(id)
    if (name === undefined) {
      throw new ValidationError({ skills: 'A skill no longer exists. Remove it.' })
    }
    return { id, name, enabled }
  })
}
