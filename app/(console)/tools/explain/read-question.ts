import { listConfigurations } from '@/lib/configurations/list-configurations'
import { listGovernedConfigurations } from '@/lib/configurations/list-governed-configurations'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { readUser } from '@/lib/users/read-user'
import { usualConfiguration } from '../../playground/usual-configuration'
import { type ExplainFilter, noConfiguration } from './explain-filter'

type Known = { id: string; name: string }

/** Whose run with what is asked about; null for a person or configuration that the address names and that is not there. */
export type Question = {
  person: { id: string; email: string } | null
  /** `none` = without any. */
  configuration: Known | 'none' | null
  /** What the Playground would begin with, or `none` while there is nothing to begin with. */
  usual: Known | 'none'
  configurations: (Known & { identifier: string; enabled: boolean })[]
}

export async function readQuestion(ctx: Ctx, filter: ExplainFilter): Promise<Question> {
  const [person, configurations, open] = await Promise.all([
    readPerson(ctx, filter.user),
    listGovernedConfigurations(ctx),
    listConfigurations(ctx),
  ])
  const find = (wanted: string | null) =>
    configurations.find(({ id, identifier }) => id === wanted || identifier === wanted) ?? null
  const usual = find(usualConfiguration(open, null)) ?? 'none'
  return { person, configuration: pick(filter.configuration), usual, configurations }

  function pick(asked: string | undefined): Question['configuration'] {
    if (asked === undefined) return usual
    return asked === noConfiguration ? 'none' : find(asked)
  }
}

async function readPerson(ctx: Ctx, userId: string | undefined): Promise<Question['person']> {
  const { actor } = ctx
  if (userId === undefined) return { id: actor.userId, email: actor.email }
  try {
    const { id, email } = await readUser(ctx, userId)
    return { id, email }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
