import { z } from 'zod'
import { ArgumentCondition, RuleAction } from '../../protocol/approval'
import { newSchemasOf, type ValuesOf } from '../../protocol/field-codec'
import { sortOrder } from '../../protocol/resource'
import { ruleShape } from './shape'

const asksForSomething = (rule: ValuesOf<typeof ruleShape>) =>
  rule.toolName !== null ||
  rule.toolGroup !== null ||
  rule.configurationId !== null ||
  rule.conditions.length > 0
const asksForNothing = 'Pick a tool, a group or a configuration, or add a condition.'

/** Describes what happens to which calls (SPEC G-A, G-D): every field that is set must match, and so must all conditions. */
export const ApprovalRuleInput = z
  .object(newSchemasOf(ruleShape))
  .refine(asksForSomething, asksForNothing)
export type ApprovalRuleInput = z.input<typeof ApprovalRuleInput>

/** `updatedAt`: the version of the rule that the change is based on, ISO text; left out = the current one. */
export const UpdateApprovalRule = ApprovalRuleInput.safeExtend({
  id: z.string(),
  updatedAt: z.string().optional(),
})

const ruleSortKeys = ['name', 'state', 'added-by', 'changed'] as const
export type RuleSortKey = (typeof ruleSortKeys)[number]
export const defaultRuleSort = 'name' as const
export const RuleSort = sortOrder(ruleSortKeys, defaultRuleSort)
export type RuleSort = z.output<typeof RuleSort>

/** A rule as lists show it. Times are ISO text in UTC; `configurationName` null = it is for all. */
export const ApprovalRuleListing = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  toolName: z.string().nullable(),
  toolGroup: z.string().nullable(),
  configurationId: z.string().nullable(),
  configurationName: z.string().nullable(),
  action: RuleAction,
  conditions: z.array(ArgumentCondition),
  createdByLabel: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type ApprovalRuleListing = z.infer<typeof ApprovalRuleListing>

const message = z.string().trim().max(2_000, 'A message has at most 2,000 characters.').default('')

/**
 * A decision on one call that waits. `argumentsHash` names the arguments the person saw: an answer to others is stale.
 * `message` reaches the model when denied and is a remark otherwise; `argumentsText` is JSON to run with instead.
 */
export const DecideApproval = z.object({
  approvalId: z.string(),
  argumentsHash: z.string().regex(/^[0-9a-f]{64}$/, 'The hash must have 64 hexadecimal digits.'),
  decision: z.discriminatedUnion('type', [
    z.object({ type: z.literal('approve'), message }),
    z.object({
      type: z.literal('edit'),
      argumentsText: z.string().max(262_144, 'Arguments have at most 262,144 characters.'),
      message,
    }),
    z.object({ type: z.literal('deny'), message }),
  ]),
})
export type DecideApproval = z.input<typeof DecideApproval>

/** The result of a call that waited; `void` = its run ended first. */
export const approvalDecisions = ['approved', 'edited', 'denied', 'expired', 'void'] as const

const decidedSortKeys = ['call', 'rule', 'run-by', 'decided-by', 'decided'] as const
export type DecidedSortKey = (typeof decidedSortKeys)[number]
export const defaultDecidedSort = '-decided' as const
export const DecidedSort = sortOrder(decidedSortKeys, defaultDecidedSort)
export type DecidedSort = z.output<typeof DecidedSort>

/** `search` matches tool, rule, prompt and the e-mail address of the run's owner; `decision` filters decided ones. */
export const ApprovalFilter = z.object({
  status: z.enum(['pending', 'decided', 'all']).default('pending'),
  decision: z.enum(approvalDecisions).optional(),
  search: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
})
export type ApprovalFilter = z.output<typeof ApprovalFilter>
