import { z } from 'zod'

/**
 * `by` is the approver's e-mail address; nobody for `expired`. `message` is sent to the model when denied. `userId` is
 * the approver whose rights are checked again before the call begins; old journals have none.
 */
export const ApprovalDecision = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('approved'),
    by: z.string(),
    userId: z.string().optional(),
    message: z.string(),
  }),
  z.object({
    type: z.literal('edited'),
    by: z.string(),
    userId: z.string().optional(),
    message: z.string(),
    argumentsText: z.string(),
  }),
  z.object({ type: z.literal('denied'), by: z.string(), message: z.string() }),
  z.object({ type: z.literal('expired') }),
])
export type ApprovalDecision = z.infer<typeof ApprovalDecision>

export const ConditionOperator = z.enum([
  'exists',
  'missing',
  'equals',
  'not-equals',
  'contains',
  'not-contains',
  'starts-with',
  'ends-with',
  'matches',
  'not-matches',
  'host-is',
  'host-not',
  'path-under',
  'path-not-under',
  'greater-than',
  'at-least',
  'less-than',
  'at-most',
])
export type ConditionOperator = z.infer<typeof ConditionOperator>

/**
 * One look into a call's arguments. `path` is a JSONPath of names, indexes and `[*]` (`$.items[*].name`); the
 * condition holds when any value found there fits, and the ones that say "not" also when nothing is there. `value` is
 * text; numbers are compared as numbers. `loose`: the comparison ignores case, look-alikes and invisible letters, and looks into
 * lists and objects.
 */
export const ArgumentCondition = z.object({
  path: z.string(),
  operator: ConditionOperator,
  value: z.string(),
  loose: z.boolean().optional(),
})
export type ArgumentCondition = z.infer<typeof ArgumentCondition>

/**
 * Effect of a rule on a matching call, the most restrictive first: of several rules, that one counts (SPEC G-D).
 * `ask-once`: once a call of a tool was approved unchanged because of the rule, other matching calls of that run start
 * without asking. `observe`: adds a note to the trace and nothing else.
 */
export const RuleAction = z.enum(['deny', 'ask', 'ask-once', 'observe'])
export type RuleAction = z.infer<typeof RuleAction>

/** Returns whether a person decides about the calls that a rule with this action matches. */
export function asksPeople(action: RuleAction): boolean {
  return action === 'ask' || action === 'ask-once'
}

/**
 * An action and the calls it applies to (SPEC G-A, G-D): every field that is set must match, and so must all
 * conditions.
 */
export const ApprovalRule = z.object({
  id: z.string(),
  name: z.string(),
  toolName: z.string().nullable(),
  toolGroup: z.string().nullable(),
  serverName: z.string().nullable(),
  configurationId: z.string().nullable(),
  userId: z.string().nullable(),
  groupId: z.string().nullable(),
  apiKeyId: z.string().nullable(),
  action: RuleAction,
  /** The starter of the run may not decide about a call that waits because of this rule. */
  fourEyes: z.boolean(),
  conditions: z.array(ArgumentCondition),
})
export type ApprovalRule = z.infer<typeof ApprovalRule>
