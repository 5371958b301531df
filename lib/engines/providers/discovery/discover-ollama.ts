import pLimit from 'p-limit'
import { readJson } from '@/lib/engines/providers/http/read-json'
import { ollamaAddress, ollamaFetch } from '@/lib/engines/providers/ollama/ollama'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import { isObject, type JsonObject, objectAt } from '@/lib/engines/providers/request/json-value'
import type { DiscoveredModel } from './discovered-model'
import { isChatModel, tokensOf, unknownModel } from './discovered-model'

/** Ollama tells what a model can do only one by one; nobody keeps more than this. */
const mostLookedAt = 200
const atOnce = 4

/** Returns an entry of `/api/tags`, which has only a name. */
export function discoverOllama(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(entry.model ?? entry.name, entry.name)
  return model && isChatModel(model.modelId) ? model : null
}

/** Adds what `/api/show` says of each; a model that cannot be looked at stays as it was. Drops what is not for chat. */
export async function readOllamaModels(
  models: DiscoveredModel[],
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<DiscoveredModel[]> {
  const known = await pLimit(atOnce).map(models.slice(0, mostLookedAt), (model) =>
    lookAt(model, options, signal),
  )
  return [...known, ...models.slice(mostLookedAt)].filter((model) => model !== null)
}

async function lookAt(
  model: DiscoveredModel,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<DiscoveredModel | null> {
  try {
    const response = await ollamaFetch(options)(`${options.baseUrl ?? ollamaAddress}/api/show`, {
      method: 'POST',
      body: JSON.stringify({ model: model.modelId }),
      signal,
    })
    return withDetails(model, await readJson(response))
  } catch (error) {
    if (signal.aborted) throw error
    return model
  }
}

function withDetails(model: DiscoveredModel, shown: unknown): DiscoveredModel | null {
  if (!isObject(shown)) return model
  const details = objectAt(shown, 'model_info')
  const contextTokens = tokensOf(details[`${details['general.architecture']}.context_length`])
  if (!Array.isArray(shown.capabilities)) return { ...model, contextTokens }
  const can = (name: string) =>
    Array.isArray(shown.capabilities) && shown.capabilities.includes(name)
  if (!can('completion')) return null
  return {
    ...model,
    contextTokens,
    toolCalling: can('tools') ? 'confirmed' : 'unsupported',
    vision: can('vision'),
    reasoning: can('thinking'),
  }
}
