import type { ApprovalRule } from '@/lib/protocol/approval-rule'
import type { ToolMeta } from '@/lib/protocol/tool'
import { conditionHolds } from './condition-holds'
import { ruleConcerns } from './rule-concerns'
import type { Subject } from './subject'

/** What the question is about besides the call: the run's configuration and the rules of the site. */
export type ApprovalQuestion = {
  configuration: Pick<NonNullable<Subject['configuration']>, 'id'> | null
  approvalRules: readonly ApprovalRule[]
}

/**
 * The first rule that wants a person's word for this call, or null (SPEC G-A). Asked after the gates said yes. Pure; a
 * rule whose conditions cannot be read, or would take too long, counts as fitting.
 */
export function needsApproval(
  tool: Pick<ToolMeta, 'name' | 'group'>,
  args: unknown,
  { configuration, approvalRules }: ApprovalQuestion,
): ApprovalRule | null {
  const fits = (rule: ApprovalRule) =>
    ruleConcerns(rule, tool, configuration?.id) && allHold(rule, args)
  return approvalRules.find(fits) ?? null
}

function allHold({ conditions }: ApprovalRule, args: unknown): boolean {
  try {
    // Each is read, also after one that does not hold: a broken one must not hide behind it.
    return conditions.map((condition) => conditionHolds(condition, args)).every(Boolean)
  } catch {
    return true
  }
}
