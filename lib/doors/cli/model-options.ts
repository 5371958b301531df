import { findModel } from '@/lib/domains/models/find-model'
import type { Ctx } from '@/lib/kernel/context'
import { usdText } from '@/lib/protocol/codecs'
import { type LongPrompt, type Prices, priceKinds, unpriced } from '@/lib/protocol/cost'
import { longPromptText } from '@/lib/protocol/format'
import type { CommonOptions } from './common-options'

/** Which of several connections' models is meant. */
export type ModelChoice = CommonOptions & { connection?: string }

/** Micro-USD for a million tokens; null = said to be unknown. */
export type GivenPrices = {
  input?: number | null
  output?: number | null
  cachedInput?: number | null
  cacheWrite?: number | null
  reasoningPrice?: number | null
  longPrompt?: LongPrompt | null
}

/** By our id or the provider's, at the connection that was named. */
export async function pickModel(
  ctx: Ctx,
  name: string,
  { connection }: ModelChoice,
): Promise<{ id: string }> {
  return findModel(ctx, name, connection)
}

/** What was not given is unknown. */
export function pricesGiven(options: GivenPrices): Prices {
  const { input, output, cachedInput, cacheWrite, reasoningPrice: reasoning } = options
  const { longPrompt } = options
  const given = { input, output, cachedInput, cacheWrite, reasoning, longPrompt }
  const known = Object.entries(given).filter(([, price]) => price !== undefined)
  return { ...unpriced, ...Object.fromEntries(known) }
}

/** "0.75", "unpriced". */
export function priceText(microUsd: number | null): string {
  return microUsd === null ? 'unpriced' : usdText(microUsd)
}

/** "input 0.75, output 4.50". */
export function pricesText(prices: Prices): string {
  const known = priceKinds.flatMap((kind) => {
    const price = prices[kind]
    return price === null ? [] : [`${kind} ${usdText(price)}`]
  })
  if (prices.longPrompt) known.push(longPromptText(prices.longPrompt))
  return known.length > 0 ? known.join(', ') : 'unpriced'
}
