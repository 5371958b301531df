import type { ConfigurationOptions } from './configuration-options'
import { type Prices, unpriced } from './cost'
import type { ModelTarget } from './model-target'
import { takesParameter } from './taken-parameters'

/** Tiers that never cost more than a model's prices. `auto` is whatever an account has set, which is taken for the same. */
const listTiers: ReadonlySet<string> = new Set([
  'auto',
  'default',
  'standard',
  'standard_only',
  'flex',
  'batch',
  'on_demand',
])

type Tiered = Pick<ModelTarget, 'prices' | 'unpricedTier'>

/**
 * What a model costs in the service tier that it is asked in. A tier that may cost more than the model's prices has no
 * price that we know: then the model counts as one without prices.
 */
export function pricesFor(
  target: Parameters<typeof takesParameter>[0] & { prices: Prices },
  { serviceTier }: Pick<ConfigurationOptions, 'serviceTier'>,
): Tiered {
  const { prices } = target
  if (serviceTier === null || !takesParameter(target, 'serviceTier')) return { prices }
  if (listTiers.has(serviceTier.trim().toLowerCase())) return { prices }
  return { prices: unpriced, unpricedTier: serviceTier }
}

/** What is said of a model whose cost cannot be known, and what helps. */
export function noPriceWords({ unpricedTier }: Pick<ModelTarget, 'unpricedTier'>) {
  return unpricedTier === undefined
    ? { fault: 'has no price', cure: 'add a price' }
    : {
        fault: `has no price in the service tier ${unpricedTier}`,
        cure: 'choose another service tier',
      }
}
