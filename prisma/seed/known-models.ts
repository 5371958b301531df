import type { CatalogueEntry } from '@/lib/domains/models/catalogue/entry'
import { findInCatalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import type { CreateModel } from '@/lib/domains/models/schemas'

/** Facts about one model a provider offers; prices are micro-USD per million tokens. */
export type KnownModel = Omit<CreateModel, 'connectionId'>

export const openaiModel = inCatalogue('openai', 'gpt-5.4-mini')

export const anthropicModel = inCatalogue('anthropic', 'claude-sonnet-5-5')

/** The demo costs nothing and has no intelligence: a script for a few prompts. */
export const demoRules: KnownModel = {
  modelId: 'demo-rules',
  displayName: 'Rule-based stand-in (not a model)',
  contextTokens: null,
  maxOutputTokens: null,
  toolCalling: 'confirmed',
  prices: { input: 0, output: 0, cachedInput: 0, cacheWrite: 0, reasoning: 0 },
}

function inCatalogue(wire: 'openai' | 'anthropic', modelId: string): KnownModel {
  const entry = findInCatalogue({ wire, baseUrl: null, modelId })
  if (!entry) throw new Error(`The catalogue has no ${modelId}.`)
  return toKnownModel(modelId, entry)
}

function toKnownModel(modelId: string, entry: CatalogueEntry): KnownModel {
  const { contextTokens, maxOutputTokens, toolCalling, structuredOutput, vision } = entry
  const { reasoning, reasoningEfforts, unsupportedParameters, prices, sources, readOn } = entry
  return {
    modelId,
    displayName: entry.name,
    contextTokens,
    maxOutputTokens,
    toolCalling,
    structuredOutput,
    vision,
    reasoning,
    reasoningEfforts,
    unsupportedParameters,
    ...(prices && { prices, priceSource: `${sources[0]} (read ${readOn})` }),
  }
}
