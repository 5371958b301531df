import 'server-only'
import { z } from 'zod'
import { findApprovalRule } from '@/lib/domains/approvals/reads'
import { ApprovalRuleInput, UpdateApprovalRule } from '@/lib/domains/approvals/schemas'
import { createApprovalRule, updateApprovalRule } from '@/lib/domains/approvals/verbs'
import { verb } from '@/lib/kernel/verb'
import { requireKnownNames } from './known-names'

/** `createApprovalRule` for a tool and group that exist, or that `notYet` says do not exist yet. */
export const addApprovalRule = verb({
  ...createApprovalRule.definition,
  input: ApprovalRuleInput,
  output: z.object({ id: z.string() }),
  transaction: false,
  run: async ({ ctx }, rule) => {
    if (!rule.notYet) await requireKnownNames(rule)
    return createApprovalRule(ctx, rule)
  },
})

/** `updateApprovalRule` likewise; what the rule names already may stay. */
export const editApprovalRule = verb({
  ...updateApprovalRule.definition,
  input: UpdateApprovalRule,
  transaction: false,
  run: async ({ ctx, reason }, rule) => {
    const before = await findApprovalRule(ctx, { rule: rule.id })
    const changed = <T>(now: T, stored: T) => (now === stored ? null : now)
    if (!rule.notYet) {
      await requireKnownNames({
        toolName: changed(rule.toolName, before.toolName),
        toolGroup: changed(rule.toolGroup, before.toolGroup),
      })
    }
    await updateApprovalRule(ctx, { ...rule, reason })
  },
})
