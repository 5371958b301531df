import { z } from 'zod'
import type { Usage } from './usage'

const price = z.int().nonnegative().nullable()

/** Prices in micro-USD per million tokens; null = unknown. A null reasoning price means "billed as output". */
export const Prices = z.object({
  input: price,
  output: price,
  cachedInput: price,
  cacheWrite: price,
  reasoning: price,
})
export type Prices = z.infer<typeof Prices>

export const unpriced: Prices = {
  input: null,
  output: null,
  cachedInput: null,
  cacheWrite: null,
  reasoning: null,
}

/** Cost in whole micro-USD, rounded up once per call; null when a price it needs is unknown (SPEC R14). */
export function costMicroUsd(usage: Usage, prices: Prices): number | null {
  const parts: [tokens: number, price: number | null][] = [
    [usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens, prices.input],
    [usage.cachedInputTokens, prices.cachedInput],
    [usage.cacheWriteTokens, prices.cacheWrite],
    [usage.outputTokens - usage.reasoningTokens, prices.output],
    [usage.reasoningTokens, prices.reasoning ?? prices.output],
  ]
  let total = 0n
  for (const [count, perMillion] of parts) {
    if (count <= 0) continue
    if (perMillion === null) return null
    total += BigInt(count) * BigInt(perMillion)
  }
  return Number((total + 999_999n) / 1_000_000n)
}

/**
 * The most that a call of this size can cost, whatever becomes of its tokens: the dearest kind of input and of output,
 * rounded up. Null when the price of input or output is unknown (SPEC M2).
 */
export function worstCostMicroUsd(
  inputTokens: number,
  outputTokens: number,
  prices: Prices,
): number | null {
  if (!isPriced(prices)) return null
  const dearest = (...known: (number | null)[]) =>
    BigInt(Math.max(0, ...known.filter((each) => each !== null)))
  const total =
    BigInt(inputTokens) * dearest(prices.input, prices.cachedInput, prices.cacheWrite) +
    BigInt(outputTokens) * dearest(prices.output, prices.reasoning)
  return Number((total + 999_999n) / 1_000_000n)
}

/** Whether the cost of a plain call can be known. */
export function isPriced({ input, output }: Prices): boolean {
  return input !== null && output !== null
}

/** Adds two costs; unknown plus anything is unknown. */
export function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
