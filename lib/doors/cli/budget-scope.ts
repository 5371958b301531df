import type { BudgetScope } from '@/lib/domains/budgets/schemas'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import { findGroup } from '@/lib/domains/groups/find-group'
import { findUser } from '@/lib/domains/users/find-user'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'

export type BudgetScopeOptions = {
  site?: boolean
  group?: string
  user?: string
  configuration?: string
}

/** Whom a budget is for, by what one command says. ValidationError unless it says exactly one thing. */
export async function scopeOf(
  ctx: Ctx,
  { site, group, user, configuration }: BudgetScopeOptions,
): Promise<{ scope: BudgetScope; scopeId: string | null }> {
  const said = [site, group, user, configuration].filter((each) => each !== undefined)
  if (said.length !== 1) {
    throw new ValidationError({
      scope: 'Give one of --site, --group, --user and --configuration.',
    })
  }
  if (group !== undefined) return { scope: 'group', scopeId: (await findGroup(ctx, group)).id }
  if (user !== undefined) return { scope: 'user', scopeId: (await findUser(ctx, user)).id }
  if (configuration !== undefined) {
    const { id } = await findConfiguration(ctx, configuration)
    return { scope: 'configuration', scopeId: id }
  }
  return { scope: 'site', scopeId: null }
}
