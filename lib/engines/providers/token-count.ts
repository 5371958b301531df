import type { Usage } from '@/lib/protocol/cost'
import type { JsonObject } from './json-value'

/** No model has a window near this; a larger figure is a fault and would poison budgets and the sums of a run. */
const largestCount = 10_000_000

/** A provider's figure as whole tokens, or null when it is no usable figure. */
export function tokenCount(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  if (value < 0 || value > largestCount) return null
  return Math.round(value)
}

type Counts = {
  input: number
  output: number
  cached: number
  cacheWrite: number
  reasoning: number
}

/**
 * Usage from a provider's figures. Parts that are more than their whole are no figures: they count as none, so that what
 * is cheaper never lowers a cost by mistake, and the usage is marked as an estimate.
 */
export function usageOf({ input, output, cached, cacheWrite, reasoning }: Counts): Usage {
  const cacheFits = cached + cacheWrite <= input
  const reasoningFits = reasoning <= output
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: cacheFits ? cached : 0,
    cacheWriteTokens: cacheFits ? cacheWrite : 0,
    reasoningTokens: reasoningFits ? reasoning : 0,
    estimated: !cacheFits || !reasoningFits,
  }
}

/** More is a fault; it would only be shown, but as a sum with others. */
const largestCostMicroUsd = 1e12

/**
 * What the usage of an answer says that the request cost, in micro-USD, rounded up: OpenRouter in dollars, xAI in parts of
 * 10^-10 dollars, over each API type that they speak. Empty when it says nothing usable.
 */
export function reportedCost({
  cost,
  cost_in_usd_ticks: ticks,
}: JsonObject): Pick<Usage, 'reportedCostMicroUsd'> {
  const microUsd =
    typeof cost === 'number' ? cost * 1e6 : typeof ticks === 'number' ? ticks / 1e4 : Number.NaN
  const isUsable = Number.isFinite(microUsd) && microUsd >= 0 && microUsd <= largestCostMicroUsd
  // Decimal fractions of a dollar are a little more or less in binary.
  return isUsable ? { reportedCostMicroUsd: Math.max(0, Math.ceil(microUsd - 1e-6)) } : {}
}
