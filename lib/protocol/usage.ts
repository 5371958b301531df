import { z } from 'zod'

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
  /** What the provider says that the call cost, in micro-USD; sums of calls have none. */
  reportedCostMicroUsd: z.int().nonnegative().optional(),
})
export type Usage = z.infer<typeof Usage>

export const emptyUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  estimated: false,
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    estimated: a.estimated || b.estimated,
  }
}
