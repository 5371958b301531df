import { z } from 'zod'
import { findApprovalRule } from '@/lib/domains/approvals/find-approval-rule'
import { ApprovalRuleInput } from '@/lib/domains/approvals/schemas'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import type { Ctx } from '@/lib/kernel/context'
import { type MarkedRule, withMissing } from '@/lib/toolset/known-names'

const { configurationId: _byName, ...shape } = ApprovalRuleInput.shape

/** `configuration` is an identifier or id; null = any. Strict: a misspelt field is an error, not its usual value. */
export const RuleBody = z.strictObject({
  ...shape,
  configuration: z.string().min(1).max(100).nullable().default(null),
})

/** The id of a configuration by its name; NotFoundError with the nearest name when there is none. */
export async function configurationIdOf(ctx: Ctx, name: string | null): Promise<string | null> {
  return name === null ? null : (await findConfiguration(ctx, name)).id
}

/** A rule by id or name, with what it names that does not exist. */
export async function readRule(ctx: Ctx, idOrName: string): Promise<MarkedRule> {
  const [rule] = await withMissing([await findApprovalRule(ctx, idOrName)])
  if (!rule) throw new Error('A rule that was found is not listed.')
  return rule
}
