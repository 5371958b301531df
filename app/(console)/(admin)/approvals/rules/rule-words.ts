import type { ApprovalRuleListing } from '@/lib/domains/approvals/schemas'
import type { ArgumentCondition, ConditionOperator, RuleAction } from '@/lib/protocol/approval'
import type { Missing } from '@/lib/toolset/known-names'

/** Completes "$.path …". `value` false = it compares with nothing. */
export const operatorWords: Record<ConditionOperator, { word: string; value: boolean }> = {
  exists: { word: 'is present', value: false },
  missing: { word: 'is missing', value: false },
  equals: { word: 'is', value: true },
  'not-equals': { word: 'is not', value: true },
  contains: { word: 'contains', value: true },
  'not-contains': { word: 'does not contain', value: true },
  'starts-with': { word: 'starts with', value: true },
  'ends-with': { word: 'ends with', value: true },
  'greater-than': { word: 'is greater than', value: true },
  'less-than': { word: 'is less than', value: true },
}

/** A rule that names one of these matches no call until it exists. */
export const missingWords: Record<Missing, string> = {
  tool: 'Tool does not exist',
  group: 'Tool group does not exist',
}

/** Returns a condition such as `$.amount is greater than 100`. */
export function conditionWords({ path, operator, value }: ArgumentCondition): string {
  const { word, value: compares } = operatorWords[operator]
  return compares ? `${path} ${word} ${JSON.stringify(value)}` : `${path} ${word}`
}

type Scope = Pick<
  ApprovalRuleListing,
  'toolName' | 'toolGroup' | 'configurationId' | 'configurationName'
>

/** Returns what a rule applies to, without its conditions: "fetch_logs, in the configuration Support". */
export function scopeWords(rule: Scope): string {
  const what = [
    rule.toolName ?? 'every tool',
    ...(rule.toolGroup === null ? [] : [`of the group ${rule.toolGroup}`]),
  ].join(' ')
  if (rule.configurationId === null) return what
  return `${what}, in the configuration ${rule.configurationName ?? 'that was deleted'}`
}

/** The consequence of switching off or deleting a rule. */
export const withoutRule: Record<RuleAction, string> = {
  deny: 'Calls that match it are no longer refused, unless another rule refuses them.',
  ask: 'Calls that match it no longer wait for approval, unless another rule matches. Calls that already wait keep waiting.',
  'ask-once':
    'Calls that match it no longer wait for approval, unless another rule matches. Calls that already wait keep waiting.',
  observe: 'Calls that match it are no longer noted in the trace.',
}
