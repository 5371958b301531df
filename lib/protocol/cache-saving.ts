import { addCost, costMicroUsd, type Prices } from './cost'
import type { RunState } from './fold-run'
import { formatCostMicroUsd, formatCount } from './format'
import type { Usage } from './usage'

/**
 * What reading from the provider's cache saved, less what writing to it cost on top; negative while more was written than
 * read again. Null when a price that it needs is unknown.
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

/** The same for all rounds of a run, each by the prices of its own model. */
export function runCacheSavedMicroUsd({ start, rounds }: RunState): number | null {
  let saved: number | null = 0
  for (const { response } of rounds) {
    const prices = response && start?.snapshot.targets[response.target]?.prices
    if (response && prices) saved = addCost(saved, cacheSavedMicroUsd(response.usage, prices))
  }
  return saved
}

/** "12 340 from the cache, saved $0.031", to be said of tokens in; empty when no cache was used. */
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
