import type { Usage } from '@/lib/protocol/usage'

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

/** Keeps the parts inside their whole, whatever the provider claims. */
export function usageOf(counts: Counts): Usage {
  const cached = Math.min(counts.cached, counts.input)
  return {
    inputTokens: counts.input,
    outputTokens: counts.output,
    cachedInputTokens: cached,
    cacheWriteTokens: Math.min(counts.cacheWrite, counts.input - cached),
    reasoningTokens: Math.min(counts.reasoning, counts.output),
    estimated: false,
  }
}
