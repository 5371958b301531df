import { z } from 'zod'
import { unmatchedPattern } from '@/lib/json-schema/pattern-syntax'
import { ConditionOperator } from '@/lib/protocol/approval'
import { OutputSchema } from '@/lib/protocol/parameters/parameter-values'
import { RuleCondition } from '@/lib/protocol/rule-condition'
import { EndReason } from '@/lib/protocol/run/run-event'
import { GateName, OutcomeType } from '@/lib/protocol/tool'
import {
  longestPattern,
  longestRubric,
  longestText,
  longestToolName,
  mostAssertions,
  mostJudges,
} from './assertion-limits'

const tool = z
  .string()
  .trim()
  .min(1, 'Name a tool.')
  .max(longestToolName, `A tool name has at most ${longestToolName} characters.`)
const whole = z.int('Enter a whole number.')
const count = whole.min(0, 'At least 0.').max(1_000_000_000, 'At most 1,000,000,000.')
const text = z
  .string()
  .max(longestText, `At most ${longestText / 1_000},000 characters.`)
  .refine((given) => given.trim() !== '', 'Enter a text.')

const assertion = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape })

/** One statement about the run of a check. Calls are those that the model asked for, also where they did not run. */
export const Assertion = z.discriminatedUnion('type', [
  assertion('tool-called', {
    tool,
    atLeast: whole.min(1, 'At least 1.').max(1_000, 'At most 1,000.').default(1),
  }),
  assertion('tool-not-called', { tool }),
  /** The calls contain these in this order; others may stand between them. */
  assertion('tools-in-order', {
    tools: z.array(tool).min(2, 'Name at least two tools.').max(50, 'At most 50 tools.'),
  }),
  /** null = calls of all tools together. */
  assertion('calls-at-most', { tool: tool.nullable(), count }),
  /** The arguments of at least one call of the tool fit, as a condition of a rule does. */
  assertion('argument', {
    tool,
    path: RuleCondition.shape.path,
    operator: ConditionOperator,
    value: RuleCondition.shape.value,
    loose: RuleCondition.shape.loose,
  }).superRefine(({ path, operator, value, loose }, context) => {
    const parsed = RuleCondition.safeParse({ path, operator, value, loose })
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
  }),
  /** At least one call of the tool ended so. */
  assertion('call-outcome', { tool, outcome: OutcomeType }),
  assertion('approval-asked', { tool }),
  /** The gate refused a call of the tool, or the tool itself when the run began. */
  assertion('gate-refused', { tool, gate: GateName }),
  assertion('answer-contains', { text }),
  assertion('answer-matches', {
    pattern: z
      .string()
      .min(1, 'Enter a pattern.')
      .max(longestPattern, `A pattern has at most ${longestPattern} characters.`)
      .superRefine((pattern, context) => {
        const message = patternProblem(pattern)
        if (message) context.addIssue({ code: 'custom', message })
      }),
  }),
  assertion('answer-fits', { schema: OutputSchema }),
  /** Differences in white space do not count. */
  assertion('answer-equals', { text }),
  assertion('end-reason', { reason: EndReason }),
  assertion('rounds-at-most', { count }),
  /** Tokens in and out. */
  assertion('tokens-at-most', { count }),
  assertion('cost-at-most', {
    microUsd: whole.min(0, 'At least 0.').max(1_000_000_000_000, 'This cost is too large.'),
  }),
  /** Time of work, without waiting for people and for a place to begin. */
  assertion('seconds-at-most', {
    seconds: z
      .number('Enter a number.')
      .positive('More than 0.')
      .max(86_400, 'At most 86,400, a day.'),
  }),
  /** A model reads the prompt and the answer of the run. Without a schema, it answers as `usualJudgeSchema` says. */
  assertion('judge', {
    configuration: z.string().trim().min(1, 'Pick a configuration.').max(100).meta({
      description: 'Identifier or id of the configuration that judges.',
    }),
    rubric: z
      .string()
      .trim()
      .min(1, 'Write what the judge has to look for.')
      .max(longestRubric, `At most ${longestRubric / 1_000},000 characters.`),
    schema: OutputSchema.optional(),
    passes: RuleCondition.optional().meta({
      description: 'With a schema: when the answer of the judge passes the run.',
    }),
  }).superRefine(({ schema, passes }, context) => {
    const path = ['passes']
    if (schema && !passes)
      context.addIssue({ code: 'custom', path, message: 'Say which answer of the judge passes.' })
    if (passes && !schema)
      context.addIssue({ code: 'custom', path, message: 'Only a judge with a schema has this.' })
  }),
])
export type Assertion = z.infer<typeof Assertion>
export type AssertionOf<T extends Assertion['type']> = Extract<Assertion, { type: T }>

export const Assertions = z
  .array(Assertion)
  .min(1, 'Assert something: a check without an assertion tests nothing.')
  .max(mostAssertions, `At most ${mostAssertions} assertions.`)
  .refine(
    (assertions) => assertions.filter(({ type }) => type === 'judge').length <= mostJudges,
    `At most ${mostJudges} judges.`,
  )

/** Verdict of a judge. `not-judged`: it could not say; `not-asked`: the try had failed already. Both count as failed. */
export const JudgeVerdict = z.enum(['passed', 'failed', 'not-judged', 'not-asked'])
export type JudgeVerdict = z.infer<typeof JudgeVerdict>

/** An assertion after the run. `sentence` says what happened, and of a failed one what was asserted. */
export const JudgedAssertion = z.object({
  assertion: Assertion,
  passed: z.boolean(),
  sentence: z.string(),
  /** Only of a judge. `runId` null = it has no run. */
  judge: z.object({ verdict: JudgeVerdict, runId: z.string().nullable() }).optional(),
})
export type JudgedAssertion = z.infer<typeof JudgedAssertion>

/** Returns why a pattern cannot be matched; null = it can. */
function patternProblem(pattern: string): string | null {
  try {
    unmatchedPattern(pattern)
    return null
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
    return `This pattern cannot be used: ${why.slice(0, 200)}.`
  }
}
