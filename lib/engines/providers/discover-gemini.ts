import type { DiscoveredModel } from './discovered-model'
import { type JsonObject, listAt, textAt } from './json-value'
import { flagOf, isChatModel, tokensOf, unknownModel } from './model-facts'

/** One entry of Google's list of models; null for what does not write text. */
export function discoverGemini(entry: JsonObject): DiscoveredModel | null {
  const name = textAt(entry, 'name').replace(/^models\//, '')
  if (name.startsWith(publisher)) return discoverVertex(name.slice(publisher.length))
  const model = unknownModel(name, entry.displayName)
  const methods = listAt(entry, 'supportedGenerationMethods')
  if (!model || !methods.includes('generateContent') || !isChatModel(model.modelId)) return null
  return {
    ...model,
    contextTokens: tokensOf(entry.inputTokenLimit),
    maxOutputTokens: tokensOf(entry.outputTokenLimit),
    reasoning: flagOf(entry.thinking),
  }
}

const publisher = 'publishers/google/models/'

/** Vertex AI lists everything that Google ever published there, and says of each only its name. */
function discoverVertex(modelId: string): DiscoveredModel | null {
  const isAsked = /^gemini-/.test(modelId) && !/-(?:live|audio|image)\b/.test(modelId)
  return isAsked && isChatModel(modelId) ? unknownModel(modelId, modelId) : null
}
