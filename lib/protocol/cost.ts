import { z } from 'zod'
import type { Role } from './tool'

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

/** What one run may cost (SPEC M4): `warn` says so once, `enforce` ends the run with a closing answer. */
export const CostCap = z.object({
  scope: z.enum(['configuration', 'task', 'run']),
  mode: z.enum(['warn', 'enforce']),
  limitMicroUsd: z.int(),
})
export type CostCap = z.infer<typeof CostCap>

/** The choices for the rest of a run that reached its cost cap, the strictest first. */
export const CostCapChoice = z.enum(['enforce', 'warn', 'ignore'])
export type CostCapChoice = z.infer<typeof CostCapChoice>

/**
 * Returns the choices of this role about a run's cost caps. What an admin decided, by configuration or task or as
 * `byAdmin` (the last choice about this run), a member may make stricter and never looser (SPEC G-X).
 */
export function costCapChoices(
  caps: readonly CostCap[],
  role: Role,
  byAdmin: CostCapChoice | null = null,
): CostCapChoice[] {
  const all = CostCapChoice.options
  if (role === 'admin') return all
  const enforcedByAdmin = caps.some(({ scope, mode }) => scope !== 'run' && mode === 'enforce')
  const loosest = byAdmin ?? (enforcedByAdmin ? 'enforce' : 'ignore')
  return all.slice(0, all.indexOf(loosest) + 1)
}
