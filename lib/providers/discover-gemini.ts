import type { DiscoveredModel } from './discovered-model'
import { type JsonObject, listAt, textAt } from './json-value'
import { flagOf, isChatModel, tokensOf, unknownModel } from './model-facts'

/** One entry of Google's list of models; null for what does not write text. */
export function discoverGemini(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(textAt(entry, 'name').replace(/^models\//, ''), entry.displayName)
  const methods = listAt(entry, 'supportedGenerationMethods')
  if (!model || !methods.includes('generateContent') || !isChatModel(model.modelId)) return null
  return {
    ...model,
    contextTokens: tokensOf(entry.inputTokenLimit),
    maxOutputTokens: tokensOf(entry.outputTokenLimit),
    reasoning: flagOf(entry.thinking),
  }
}
