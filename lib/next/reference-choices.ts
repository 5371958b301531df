import { listApiKeys } from '@toolgate/server/domains/api-keys/verbs'
import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listGroupNames } from '@toolgate/server/domains/groups/reads'
import { listTaskForms } from '@toolgate/server/domains/tasks/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { type Definition, type Resource, untyped } from '@/lib/shape/resource'

type Named = { id: string; name: string }

/**
 * Reads the options of the reference fields of a resource's form, and the current user as the default (`me`). Admins
 * only.
 */
export async function readReferenceChoices<D extends Definition>(ctx: Ctx, typed: Resource<D>) {
  const referred = new Set(
    Object.values(untyped(typed).fields).map((field) => field.kind === 'reference' && field.to),
  )
  const [configurations, tasks, groups, keys] = await Promise.all([
    referred.has('configuration') ? listGovernedConfigurations(ctx, {}) : [],
    referred.has('task') ? listTaskForms(ctx) : [],
    referred.has('group') ? listGroupNames(ctx) : [],
    referred.has('api-key') ? listApiKeys(ctx) : [],
  ])
  const named = ({ id, name }: Named) => ({ id, name })
  const { userId: id, email } = ctx.actor
  return {
    me: { id, email },
    configurations: configurations.map(named),
    tasks,
    groups: groups.map(named),
    apiKeys: keys
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, name, prefix, userEmail }) => ({
        id,
        name: `${name} (${prefix}, ${userEmail})`,
      })),
  }
}
