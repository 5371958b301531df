import { unpriced } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import { isListTier } from '@/lib/protocol/cost/service-tiers'
import {
  type JsonObject,
  ReasoningEffort,
  type Wire,
} from '@/lib/protocol/parameters/parameter-values'
import {
  type ConfigurationOptions,
  describedParameters,
  type ModelParameters,
  type ParameterName,
} from '@/lib/protocol/parameters/parameters'
import { hasClaudeLimits, isBeforeGemini3, isClaudeOnBedrock } from './model-ids'
import type { ModelTarget } from './model-target'

/** The wire demands a limit; this is what current models all allow. */
const defaultMaxTokens = 8_192

/** Thinking that models before 4.6 may spend; newer ones take the effort itself. */
export const thinkingTokens = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
} as const
/** The wire refuses a smaller budget. */
const leastThinking = 1_024
const budgetedModels = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8}|@|$))/

/**
 * They think whatever they are asked, and a request that makes one call a tool is refused (platform.claude.com, read
 * 2026-11-23).
 */
const alwaysThinking = /claude-(?:fable-5-[12]|(?:opus|sonnet)-5-5)(?!\d)/

/**
 * Returns whether a model refuses a forced tool call: Claude does while it reasons, and some Claude models always do.
 */
export function refusesForcedTools(
  target: Pick<ModelTarget, 'wire' | 'modelId'>,
  effort: ReasoningEffort | null,
): boolean {
  if (!hasClaudeLimits(target)) return false
  return alwaysThinking.test(target.modelId) || (effort !== null && effort !== 'none')
}

/** Returns whether a Claude model takes a number of reasoning tokens, and not a level. */
function thinksByBudget(modelId: string): boolean {
  return budgetedModels.test(modelId)
}

/**
 * Returns the limits. Reasoning counts towards `max_tokens`, so its budget is added to the limit of the answer, up to
 * the model's maximum, above which the API refuses.
 */
export function thinkingLimits({
  modelId,
  parameters,
  mostOutputTokens,
}: {
  modelId: string
  parameters: Pick<ModelParameters, 'maxOutputTokens' | 'reasoningEffort'>
  mostOutputTokens?: number | null
}) {
  const { maxOutputTokens, reasoningEffort } = parameters
  const most = mostOutputTokens ?? Number.POSITIVE_INFINITY
  const answer = Math.min(maxOutputTokens ?? defaultMaxTokens, most)
  if (reasoningEffort === null || reasoningEffort === 'none') return { max_tokens: answer }
  const thinking = thinkingTokens[reasoningEffort]
  if (thinksByBudget(modelId)) return withBudget(answer, thinking, most)
  return {
    max_tokens: maxOutputTokens === null ? Math.min(answer + thinking, most) : answer,
    thinking: { type: 'adaptive' as const, display: 'summarized' as const },
    output_config: { effort: reasoningEffort === 'minimal' ? ('low' as const) : reasoningEffort },
  }
}

/**
 * Returns both limits within the maximum. If they do not fit, the answer gets what it needs, or half; a budget that is
 * too small is left out.
 */
function withBudget(answer: number, thinking: number, most: number) {
  const max_tokens = Math.min(answer + thinking, most)
  const left = max_tokens - Math.min(answer, Math.ceil(max_tokens / 2))
  const budget_tokens = Math.min(thinking, left)
  if (budget_tokens < leastThinking) return { max_tokens: answer }
  return { max_tokens, thinking: { type: 'enabled' as const, budget_tokens } }
}

const degrees: readonly ReasoningEffort[] = ['low', 'medium', 'high']

/** Returns the efforts that a request can ask of a model in its API type's words, lowest first. */
function wireEfforts({
  wire,
  modelId,
}: Pick<ModelTarget, 'wire' | 'modelId'>): readonly ReasoningEffort[] {
  switch (wire) {
    case 'anthropic':
      return claudeEfforts(modelId)
    case 'bedrock':
      return bedrockEfforts(modelId)
    case 'gemini':
      if (isBeforeGemini3(modelId)) return ['none', ...degrees]
      return thinksMinimally(modelId) ? ['minimal', ...degrees] : degrees
    case 'ollama':
      return knowsDegrees(modelId) ? degrees : ReasoningEffort.options
    default:
      return ReasoningEffort.options
  }
}

/** Returns the efforts of a Claude model. Models that take an effort have none below low, the others none above a budget. */
function claudeEfforts(modelId: string): readonly ReasoningEffort[] {
  const { options } = ReasoningEffort
  const missing = thinksByBudget(modelId) ? 'max' : 'minimal'
  return options.filter((effort) => effort !== missing)
}

function bedrockEfforts(modelId: string): readonly ReasoningEffort[] {
  switch (bedrockFamily(modelId)) {
    case 'claude':
      return claudeEfforts(modelId)
    case 'gpt-oss':
      return degrees
    case 'nova-2':
      return ['none', ...degrees]
    case null:
      return []
  }
}

/**
 * Returns the family of an Amazon Bedrock model that can be asked to reason, each in its own words; null = any other
 * model.
 */
export function bedrockFamily(modelId: string): 'claude' | 'gpt-oss' | 'nova-2' | null {
  if (isClaudeOnBedrock(modelId)) return 'claude'
  if (/(?:^|[./])openai\.gpt-oss/.test(modelId)) return 'gpt-oss'
  return /(?:^|[./])amazon\.nova-2/.test(modelId) ? 'nova-2' : null
}

/** Returns whether the model has the lowest level. Only Flash does, up to 3.6. */
export function thinksMinimally(modelId: string): boolean {
  return /gemini-3(?:\.[1-6])?-flash/.test(modelId)
}

/** Returns whether a model of Ollama takes a level. Every other one reasons or does not. */
export function knowsDegrees(modelId: string): boolean {
  return modelId.includes('gpt-oss')
}

type Taking = Pick<
  ModelTarget,
  'wire' | 'modelId' | 'unsupportedParameters' | 'reasoning' | 'reasoningEfforts'
>

/** Returns whether an API type has a place for a parameter, whatever the model. */
export function hasPlaceFor(wire: Wire, name: ParameterName): boolean {
  return describedParameters[name].wires?.includes(wire) ?? true
}

/**
 * Returns whether a parameter is sent to a model: its API type has a place for it, and the model is not known to refuse
 * it.
 */
export function takesParameter(model: Taking, name: ParameterName): boolean {
  if (name === 'reasoningEffort' && effortsOf(model).length === 0) return false
  // Journals from before have no such list.
  const refused: readonly ParameterName[] = model.unsupportedParameters ?? []
  return hasPlaceFor(model.wire, name) && !refused.includes(name)
}

/**
 * Returns the efforts that a model may be asked for, lowest first: those it is known to take and its API type can
 * express.
 */
export function takenEfforts(model: Taking): ReasoningEffort[] {
  return takesParameter(model, 'reasoningEffort') ? effortsOf(model) : []
}

function effortsOf(model: Taking): ReasoningEffort[] {
  if (model.reasoning === false) return []
  const known = model.reasoningEfforts ?? []
  return wireEfforts(model).filter((effort) => known.length === 0 || known.includes(effort))
}

/**
 * Returns the effort that is sent: the wanted one, else the nearest lower one that the model takes, else its lowest. A
 * model that should reason is not asked for none, unless it takes nothing else.
 */
export function sentEffort(model: Taking, wanted: ReasoningEffort | null): ReasoningEffort | null {
  if (wanted === null) return null
  const known = takenEfforts(model)
  const reasoning = known.filter((effort) => effort !== 'none')
  const taken = wanted === 'none' || reasoning.length === 0 ? known : reasoning
  const most = ReasoningEffort.options.indexOf(wanted)
  const lower = taken.filter((effort) => ReasoningEffort.options.indexOf(effort) <= most)
  return lower.at(-1) ?? taken[0] ?? null
}

/**
 * Further body fields with which a provider may charge more than a model's prices, by their paths, and the values that
 * cost no more. What is refused for that reason stands in `own-body-fields`.
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
 * Returns a model's prices for this request. A service tier or an extra body field that may cost more has no known
 * price; then the model counts as one without prices.
 */
export function pricesFor(
  target: Parameters<typeof takesParameter>[0] & { prices: Prices },
  { serviceTier, extraBody }: Pick<ConfigurationOptions, 'serviceTier' | 'extraBody'>,
): Tiered {
  const { prices } = target
  const isTier = serviceTier !== null && takesParameter(target, 'serviceTier')
  if (isTier && !isListTier(serviceTier)) {
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

/** Returns what to say about a model whose cost cannot be known, and what helps. */
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
