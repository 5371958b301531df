import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import { countOf, formatCostMicroUsd, formatCount } from '@/lib/words/format'
import type { CostBound, Prices, Usage } from './money'
import { isListTier } from './service-tiers'

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
 * Returns the cost in whole micro-USD, rounded up once per call; null when a price that it needs is unknown (SPEC R14),
 * as it is where the provider says that it answered in a dearer service tier.
 * Cached input without a price costs as much as input, which is never cheaper, so the cost is then an upper bound
 * (`isCostAtMost`).
 */
export function costMicroUsd(usage: Usage, prices: Prices): number | null {
  if (usage.serviceTier !== undefined && !isListTier(usage.serviceTier)) return null
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

/** Request facts in the state of a run. */
export type Ran = {
  start: RunEventOf<'run-start'>['data'] | null
  rounds: readonly RoundView[]
  usage: Usage
  end: RunEventOf<'run-end'>['data'] | null
}

/** Returns how exact a cost or a sum of costs is. An estimate in it may be too low as well as too high. */
export function costBound({
  estimated,
  atMost,
}: {
  estimated: boolean
  atMost: boolean
}): CostBound {
  if (estimated) return 'about'
  return atMost ? 'at-most' : 'exact'
}

type Counted = { target: number; usage: Usage }

/** Returns how exact the cost of a run so far is, with its failed and lost requests. */
export function runCostBound({ start, rounds, usage, end }: Ran): CostBound {
  const counted = [...rounds.flatMap(countedIn), ...usedIn(end?.failedCall)]
  const atMost = counted.some(({ target, usage: used }) => {
    const prices = start?.snapshot.targets[target]?.prices
    return prices !== undefined && isCostAtMost(used, prices)
  })
  return costBound({ estimated: usage.estimated, atMost })
}

function countedIn({ response, notes, copiedFrom }: RoundView): Counted[] {
  if (copiedFrom !== undefined) return []
  const failed = notes.flatMap((note) => {
    if (note.type === 'lost') return [note.data]
    return note.type === 'retry' || note.type === 'fallback' ? usedIn(note.data.failedCall) : []
  })
  return response ? [...failed, response] : failed
}

function usedIn(call: RunEventOf<'run-end'>['data']['failedCall']): Counted[] {
  return call?.used ? [{ target: call.target, usage: call.used.usage }] : []
}

/** Precision of a sum of costs. It is a lower bound while it lacks requests without a price (SPEC M3). */
export type SumBound = CostBound | 'at-least' | 'at-least-about'

const boundWords: Record<SumBound, string> = {
  exact: '',
  'at-most': 'at most ',
  about: 'about ',
  'at-least': 'at least ',
  'at-least-about': 'at least ~',
}

/** Returns "at most " for the text before a cost; empty = it is exact, zero, or unknown. */
export function boundWord(microUsd: number | null, bound: SumBound): string {
  return microUsd === null || microUsd === 0 ? '' : boundWords[bound]
}

/** Returns "at most $0.0042", "about $0.0042", "at least $0.0042", "$0.0042" or "unpriced". */
export function boundedCost(microUsd: number | null, bound: SumBound): string {
  return boundWord(microUsd, bound) + formatCostMicroUsd(microUsd)
}

/** Returns "$1.20", "at least $1.20 (3 calls unpriced)" or "unpriced" for a sum in which so many calls are missing. */
export function sumWords(microUsd: number, unpricedCalls: number): string {
  if (unpricedCalls === 0) return formatCostMicroUsd(microUsd)
  if (microUsd === 0) return 'unpriced'
  return `${boundedCost(microUsd, 'at-least')} (${countOf(unpricedCalls, 'call')} unpriced)`
}

/**
 * Returns what reading from the provider's cache saved, less the extra cost of writing to it; negative while writing
 * cost more. Null when a price that it needs is unknown.
 */
export function cacheSavedMicroUsd(usage: Usage, prices: Prices): number | null {
  if (usage.cachedInputTokens + usage.cacheWriteTokens === 0) return 0
  if (usage.cachedInputTokens > 0 && prices.cachedInput === null) return null
  if (usage.cacheWriteTokens > 0 && prices.cacheWrite === null) return null
  const input = { ...usage, outputTokens: 0, reasoningTokens: 0 }
  const paid = costMicroUsd(input, prices)
  const without = costMicroUsd({ ...input, cachedInputTokens: 0, cacheWriteTokens: 0 }, prices)
  return paid === null || without === null ? null : without - paid
}

/** Returns what the cache saved in all rounds of a run, each by the prices of its own model. */
export function runCacheSavedMicroUsd({
  start,
  rounds,
}: Pick<Ran, 'start' | 'rounds'>): number | null {
  let saved: number | null = 0
  for (const { response, copiedFrom } of rounds) {
    if (copiedFrom !== undefined) continue
    const prices = response && start?.snapshot.targets[response.target]?.prices
    if (response && prices) saved = addCost(saved, cacheSavedMicroUsd(response.usage, prices))
  }
  return saved
}

/** Returns "12 340 from the cache, saved $0.031", for the input tokens; empty when no cache was used. */
export function cacheWords(usage: Usage, savedMicroUsd: number | null): string {
  const { cachedInputTokens: read, cacheWriteTokens: written } = usage
  if (read + written === 0) return ''
  const facts: string[] = []
  if (read > 0) facts.push(`${formatCount(read)} from the cache`)
  if (written > 0) facts.push(`${formatCount(written)} written to the cache`)
  if (savedMicroUsd !== null && savedMicroUsd > 0)
    facts.push(`saved ${formatCostMicroUsd(savedMicroUsd)}`)
  if (savedMicroUsd !== null && savedMicroUsd < 0)
    facts.push(`${formatCostMicroUsd(-savedMicroUsd)} more than without the cache`)
  return facts.join(', ')
}
