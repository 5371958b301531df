import { type Prices, unpriced } from './cost'
import type { ModelTarget } from './model-target'
import type { JsonObject } from './parameter-values'
import type { ConfigurationOptions } from './parameters'
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

type Wire = ModelTarget['wire']

/**
 * Further body fields with which a provider may charge more than a model's prices, by their paths, and the values that cost
 * no more. What is refused for that reason stands in `own-body-fields`.
 */
const dearerFields: Partial<Record<Wire, Readonly<Record<string, readonly unknown[]>>>> = {
  openai: { 'reasoning.mode': ['standard'] },
  'azure-openai': { 'reasoning.mode': ['standard'] },
  'openai-compatible': {
    // Gateways: who serves the model, at a price of their own, and what is kept for longer.
    provider: [],
    'cache_control.ttl': ['5m'],
    inference_geo: ['global'],
  },
  anthropic: { inference_geo: ['global'] },
  bedrock: {
    'performanceConfig.latency': ['standard'],
    guardrailConfig: [],
    'additionalModelRequestFields.inference_geo': ['global'],
  },
  gemini: { modelArmorConfig: [], model_armor_config: [] },
}

type Tiered = Pick<ModelTarget, 'prices' | 'unpricedTier' | 'unpricedField'>

/**
 * What a model costs as it is asked. A service tier or a further body field that may cost more than the model's prices has
 * no price that we know: then the model counts as one without prices.
 */
export function pricesFor(
  target: Parameters<typeof takesParameter>[0] & { prices: Prices },
  { serviceTier, extraBody }: Pick<ConfigurationOptions, 'serviceTier' | 'extraBody'>,
): Tiered {
  const { prices } = target
  const isTier = serviceTier !== null && takesParameter(target, 'serviceTier')
  if (isTier && !listTiers.has(serviceTier.trim().toLowerCase())) {
    return { prices: unpriced, unpricedTier: serviceTier }
  }
  const field = extraBody && dearerField(target.wire, extraBody)
  return field ? { prices: unpriced, unpricedField: field } : { prices }
}

function dearerField(wire: Wire, extra: JsonObject): string | undefined {
  const fields = Object.entries(dearerFields[wire] ?? {})
  return fields.find(([path, cheap]) => {
    const value = valueAt(extra, path.split('.'))
    return value !== null && value !== undefined && !cheap.includes(value)
  })?.[0]
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return valueAt(Object.entries(value).find(([key]) => key === name)?.[1], rest)
}

/** What is said of a model whose cost cannot be known, and what helps. */
export function noPriceWords({
  unpricedTier,
  unpricedField,
}: Pick<ModelTarget, 'unpricedTier' | 'unpricedField'>) {
  if (unpricedTier !== undefined) {
    const fault = `has no price in the service tier ${unpricedTier}`
    return { fault, cure: 'choose another service tier' }
  }
  if (unpricedField === undefined) return { fault: 'has no price', cure: 'add a price' }
  const fault = `has no price with the extra body field ${unpricedField}`
  return { fault, cure: `remove ${unpricedField} from the configuration’s extra body fields` }
}
