import { listApiKeys } from '@toolgate/server/domains/api-keys/verbs'
import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { listTaskNames } from '@toolgate/server/domains/tasks/reads'
import { taskVerbs } from '@toolgate/server/domains/tasks/verbs'
import { readUser } from '@toolgate/server/domains/users/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { usualConfiguration } from '@/components/nouns/usual-configuration'
import type { TaskDetail } from '@/lib/domains/tasks/shape'
import type { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { type ExplainFilter, noConfiguration } from './explain-filter'

type Known = { id: string; name: string }

/** The person, key, configuration and task of the question; null where the address names one that does not exist. */
export type Question = {
  person: Known | null
  /** `none` = no API key. */
  key: Known | 'none' | null
  /** `none` = no configuration. */
  configuration: Known | 'none' | null
  /** `panelKind` null = it runs as one run. */
  task: (Known & { panelKind: TaskPanel['kind'] | null }) | 'none' | null
  /** The default configuration of the task or the Playground; `none` when there is none. */
  usual: Known | 'none'
  /** The keys of the person. */
  keys: Known[]
  configurations: Choice[]
  tasks: Choice[]
}
type Choice = Known & { identifier: string; enabled: boolean }

export async function readQuestion(ctx: Ctx, filter: ExplainFilter): Promise<Question> {
  const [person, configurations, open, tasks] = await Promise.all([
    readPerson(ctx, filter.user),
    listGovernedConfigurations(ctx, {}),
    listConfigurations(ctx),
    listTaskNames(ctx),
  ])
  const find = (wanted: string | null) =>
    configurations.find(({ id, identifier }) => id === wanted || identifier === wanted) ?? null
  const keys = person ? await readKeys(ctx, person.id) : []
  const task = filter.task === undefined ? 'none' : await readTask(ctx, filter.task)
  const ofTask = task === 'none' ? null : (task?.configuration?.id ?? null)
  const usual = find(usualConfiguration(open, ofTask)) ?? 'none'
  return {
    person,
    key: filter.key === undefined ? 'none' : (keys.find(({ id }) => id === filter.key) ?? null),
    configuration: pick(filter.configuration),
    task: task && (task === 'none' ? task : knownTask(task)),
    usual,
    keys,
    configurations,
    tasks,
  }

  function pick(text: string | undefined): Question['configuration'] {
    if (text === undefined) return usual
    return text === noConfiguration ? 'none' : find(text)
  }
}

function knownTask({ id, name, panel }: TaskDetail): Exclude<Question['task'], 'none' | null> {
  return { id, name, panelKind: panel?.kind ?? null }
}

/** Returns the keys of a person that were not revoked. */
async function readKeys(ctx: Ctx, userId: string): Promise<Known[]> {
  const keys = await listApiKeys(ctx, userId)
  return keys.filter(({ revokedAt }) => revokedAt === null).map(({ id, name }) => ({ id, name }))
}

async function readTask(ctx: Ctx, task: string): Promise<TaskDetail | null> {
  try {
    return await taskVerbs.read(ctx, { id: task })
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

async function readPerson(ctx: Ctx, userId: string | undefined): Promise<Question['person']> {
  try {
    const { id, name } = await readUser(ctx, userId ?? ctx.actor.userId)
    return { id, name }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
