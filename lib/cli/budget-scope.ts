import type { BudgetScope } from '@/lib/budgets/schemas'
import { findConfiguration } from '@/lib/configurations/find-configuration'
import type { Ctx } from '@/lib/context'
import { ValidationError } from '@/lib/errors'
import { findGroup } from '@/lib/groups/find-group'
import { findUser } from '@/lib/users/find-user'

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
