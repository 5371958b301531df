import { z } from 'zod'

// The functions of these are in cost.ts, which pages load without the schemas.

const tokens = z.int().nonnegative()

/**
 * Tokens of one or more provider calls. `cachedInputTokens` and `cacheWriteTokens` are parts of `inputTokens`,
 * `reasoningTokens` is a part of `outputTokens`: every adapter normalises to this. `estimated` is true when any
 * part was counted by us because the provider sent no usable figure.
 */
export const Usage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: tokens,
  cacheWriteTokens: tokens,
  reasoningTokens: tokens,
  estimated: z.boolean(),
  /** Cost of the call that the provider states, in micro-USD; sums of calls have none. */
  reportedCostMicroUsd: z.int().nonnegative().optional(),
  /** The service tier in which the provider says that it answered; sums of calls have none. */
  serviceTier: z.string().max(50).optional(),
})
export type Usage = z.infer<typeof Usage>

const price = z.int().nonnegative().nullable()

/**
 * Providers charge all of a request more when its prompt is longer than this. Percent of the prices: 200 = twice as
 * much.
 */
export const LongPrompt = z.object({
  aboveTokens: z.int().positive().max(100_000_000, 'At most 100,000,000 tokens.'),
  inputPercent: z.int().min(100).max(1_000),
  outputPercent: z.int().min(100).max(1_000),
})
export type LongPrompt = z.infer<typeof LongPrompt>

/**
 * Prices in micro-USD per million tokens; null = unknown. A null reasoning price means "billed as output". Absent
 * `longPrompt` = prompts of any length cost the same.
 */
export const Prices = z.object({
  input: price,
  output: price,
  cachedInput: price,
  cacheWrite: price,
  reasoning: price,
  longPrompt: LongPrompt.nullable().optional(),
})
export type Prices = z.infer<typeof Prices>

/**
 * Maximum cost of a run, together with earlier turns of its conversation and the runs it starts, or with `panel` of all
 * members of its panel (SPEC M4, C1, Q3): `warn` reports it once, `enforce` ends the run with a closing answer.
 * `parent`: the rest of the starting run's cap.
 */
export const CostCap = z.object({
  scope: z.enum(['configuration', 'task', 'run', 'panel', 'parent']),
  mode: z.enum(['warn', 'enforce']),
  limitMicroUsd: z.int(),
  /** Origin of the cap of a panel or member, when the starter did not set it: only admins may loosen it. */
  setBy: z.literal('task').optional(),
})
export type CostCap = z.infer<typeof CostCap>

/** `warn` (default) warns once when it is reached; `enforce` makes the next answer the last. */
export const RunCostCap = z.object({
  mode: CostCap.shape.mode.default('warn'),
  limitMicroUsd: z
    .int('The cost cap must be a whole number of micro-dollars.')
    .min(1, 'The cost cap must be more than 0.')
    .max(1_000_000_000_000, 'The cost cap is too large.'),
})

/** The cap that one run is started with. `off` = none: it says so, and lifts no cap that something else sets. */
export const OwnCostCap = RunCostCap.extend({
  mode: z.enum([...CostCap.shape.mode.options, 'off']).default('warn'),
  limitMicroUsd: RunCostCap.shape.limitMicroUsd.optional(),
}).superRefine(({ mode, limitMicroUsd }, issues) => {
  if (mode === 'off' || limitMicroUsd !== undefined) return
  const message = 'Enter the amount of the cost cap.'
  issues.addIssue({ code: 'custom', path: ['limitMicroUsd'], message })
})

/** The choices for the rest of a run that reached its cost cap, the strictest first. */
export const CostCapChoice = z.enum(['enforce', 'warn', 'ignore'])
export type CostCapChoice = z.infer<typeof CostCapChoice>

/** A choice about cost caps; `byAdmin` is the last choice of an admin, if there was one. */
export const CapDecision = z.object({
  choice: CostCapChoice,
  by: z.string(),
  byAdmin: CostCapChoice.nullable().optional(),
})
export type CapDecision = z.infer<typeof CapDecision>

/**
 * Precision of a cost. `about`: tokens of a part were estimated. `at-most`: the provider may have charged less for a
 * part, because it read from its cache and that price is unknown.
 */
export const CostBound = z.enum(['exact', 'at-most', 'about'])
export type CostBound = z.infer<typeof CostBound>

/** Cost of all turns before a run; null: at least one of them is unpriced. */
export const CostBefore = z.object({ microUsd: z.int().nonnegative().nullable(), bound: CostBound })
export type CostBefore = z.infer<typeof CostBefore>
