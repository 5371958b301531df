import type { CostCap, CostCapChoice, Prices, Usage } from './money'
import type { Role } from './tool'

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

/** The kinds of tokens that have a price. */
export const priceKinds = ['input', 'output', 'cachedInput', 'cacheWrite', 'reasoning'] as const
export type PriceKind = (typeof priceKinds)[number]

/** Returns whether any price is known. */
export function hasPrice(prices: Prices): boolean {
  return priceKinds.some((kind) => prices[kind] !== null)
}

export const unpriced: Prices = {
  input: null,
  output: null,
  cachedInput: null,
  cacheWrite: null,
  reasoning: null,
}

/**
 * Returns the cost in whole micro-USD, rounded up once per call; null when a price that it needs is unknown (SPEC R14).
 * Cached input without a price costs as much as input, which is never cheaper, so the cost is then an upper bound
 * (`isCostAtMost`).
 */
export function costMicroUsd(usage: Usage, prices: Prices): number | null {
  const { inputPercent, outputPercent } = percentsFor(usage.inputTokens, prices)
  const parts: [tokens: number, price: number | null, percent: number][] = [
    [
      usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
      prices.input,
      inputPercent,
    ],
    [usage.cachedInputTokens, prices.cachedInput ?? prices.input, inputPercent],
    [usage.cacheWriteTokens, prices.cacheWrite, inputPercent],
    [usage.outputTokens - usage.reasoningTokens, prices.output, outputPercent],
    [usage.reasoningTokens, prices.reasoning ?? prices.output, outputPercent],
  ]
  let total = 0n
  for (const [count, perMillion, percent] of parts) {
    if (count <= 0) continue
    if (perMillion === null) return null
    total += BigInt(count) * BigInt(perMillion) * BigInt(percent)
  }
  return wholeMicroUsd(total)
}

/**
 * Returns whether the provider may have charged less, because it read a part from its cache and the price of that is
 * unknown.
 */
export function isCostAtMost({ cachedInputTokens }: Usage, prices: Prices): boolean {
  return cachedInputTokens > 0 && prices.cachedInput === null && prices.input !== null
}

/**
 * Returns the highest cost of a call of this size: the dearest kind of input and of output, rounded up. Null when the
 * price of input or output is unknown (SPEC M2).
 */
export function worstCostMicroUsd(
  inputTokens: number,
  outputTokens: number,
  prices: Prices,
): number | null {
  if (!isPriced(prices)) return null
  const { inputPercent, outputPercent } = percentsFor(inputTokens, prices)
  const dearest = (percent: number, ...known: (number | null)[]) =>
    BigInt(Math.max(0, ...known.filter((each) => each !== null))) * BigInt(percent)
  return wholeMicroUsd(
    BigInt(inputTokens) *
      dearest(inputPercent, prices.input, prices.cachedInput, prices.cacheWrite) +
      BigInt(outputTokens) * dearest(outputPercent, prices.output, prices.reasoning),
  )
}

function percentsFor(inputTokens: number, { longPrompt }: Prices) {
  return longPrompt && inputTokens > longPrompt.aboveTokens
    ? longPrompt
    : { inputPercent: 100, outputPercent: 100 }
}

/** Returns whole micro-USD of tokens times micro-USD per million times percent, rounded up. */
function wholeMicroUsd(total: bigint): number {
  return Number((total + 99_999_999n) / 100_000_000n)
}

/** Returns whether the cost of a plain call can be known. */
export function isPriced({ input, output }: Prices): boolean {
  return input !== null && output !== null
}

/** Adds two costs; unknown plus anything is unknown. */
export function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/**
 * Returns the choices of this role about a run's cost caps. What an admin decided, by configuration or task or as
 * `byAdmin` (the last choice about this run), a member may make stricter and never looser (SPEC G-X).
 */
export function costCapChoices(
  caps: readonly CostCap[],
  role: Role,
  byAdmin: CostCapChoice | null = null,
): CostCapChoice[] {
  const all: CostCapChoice[] = ['enforce', 'warn', 'ignore']
  if (role === 'admin') return all
  const enforcedByAdmin = caps.some(({ scope, mode }) => scope !== 'run' && mode === 'enforce')
  const loosest = byAdmin ?? (enforcedByAdmin ? 'enforce' : 'ignore')
  return all.slice(0, all.indexOf(loosest) + 1)
}
