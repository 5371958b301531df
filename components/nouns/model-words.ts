import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import type { ModelListing } from '@toolgate/server/domains/models/schemas'
import type { PillState } from '@/components/ui/state-pill'
import type { ToolCalling } from '@/lib/domains/models/shape'
import type { PriceKind } from '@/lib/protocol/cost/cost'
import { usdText } from '@/lib/words/format'

export const toolPills: Record<ToolCalling, PillState> = {
  confirmed: 'ok',
  unconfirmed: 'warning',
  unsupported: 'off',
}

export const priceWords: Record<PriceKind, string> = {
  input: 'Input',
  output: 'Output',
  cachedInput: 'Cached input',
  cacheWrite: 'Cache write',
  reasoning: 'Reasoning',
}

/** Returns a price per million tokens: "$0.75", "free", "unknown". */
export function priceText(microUsd: number | null): string {
  if (microUsd === null) return 'unknown'
  return microUsd === 0 ? 'free' : `$${usdText(microUsd)}`
}

/** Returns "$2.50 in, $10.00 out per million tokens". The demo is no model and costs nothing. */
export function priceOf({ wire, prices }: Pick<ConfigurationListing, 'wire' | 'prices'>): string {
  if (wire === 'demo') return 'demo, not a model'
  if (prices.input === null && prices.output === null) return 'unpriced'
  if (prices.input === 0 && prices.output === 0) return 'free'
  return `${priceText(prices.input)} in, ${priceText(prices.output)} out per M tokens`
}

/** Says what happens to the configurations that use a model when it is switched off. */
export function offWords({ usedBy }: Pick<ModelListing, 'usedBy'>): string {
  const stopped = usedBy.filter(({ position }) => position === null).map(({ name }) => name)
  const narrowed = usedBy.filter(({ position }) => position !== null).map(({ name }) => name)
  const parts = [
    stopped.length > 0 && `These cannot run: ${stopped.join(', ')}.`,
    narrowed.length > 0 && `These lose a fallback: ${narrowed.join(', ')}.`,
    'Active runs end.',
  ]
  return parts.filter(Boolean).join(' ')
}
