import type { ConfigurationListing } from '@/lib/configurations/schemas'
import { priceText } from '../models/model-words'

/** "$2.50 in, $10.00 out per million tokens"; the demo is no model and costs nothing. */
export function priceOf({ wire, prices }: Pick<ConfigurationListing, 'wire' | 'prices'>): string {
  if (wire === 'demo') return 'demo: rule-based stand-in, not a model'
  if (prices.input === null && prices.output === null) return 'unpriced'
  if (prices.input === 0 && prices.output === 0) return 'free'
  return `${priceText(prices.input)} in, ${priceText(prices.output)} out per million tokens`
}
