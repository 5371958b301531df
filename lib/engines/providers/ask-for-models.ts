import type { ModelTarget } from '@/lib/protocol/model-target'
import { anthropicClient } from './anthropic'
import { azureModels } from './azure-openai'
import { bedrockModels } from './bedrock'
import { correctAddress } from './connection-advice'
import { geminiModels } from './gemini'
import { ollamaAddress, ollamaFetch } from './ollama'
import { responsesBaseUrl } from './openai'
import { openAiClient } from './openai-client'
import { compatibleBaseUrl } from './openai-compatible'
import type { ProviderOptions } from './provider'
import { WireFailure } from './provider-error'
import { readJson } from './read-json'

/** The wires that have somebody to ask. */
export type RemoteWire = Exclude<ModelTarget['wire'], 'demo'>

/**
 * The smallest request that needs a good address and a good key: one GET for the list of models, as the wire's
 * official client sends it. Gives the JSON that came; throws what `pooledFetch` throws, or WireFailure for no JSON.
 */
export async function askForModels(
  wire: RemoteWire,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<unknown> {
  if (wire === 'bedrock') return bedrockModels(options, signal)
  if (wire === 'gemini') return geminiModels(options, signal)
  return readJson(await send(wire, options, signal))
}

function send(
  wire: Exclude<RemoteWire, 'bedrock' | 'gemini'>,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<Response> {
  switch (wire) {
    case 'openai':
      return openAiClient(options, responsesBaseUrl(options))
        .get('/models', { signal })
        .asResponse()
    case 'openai-compatible': {
      const baseUrl = compatibleBaseUrl(options)
      if (baseUrl === '') throw withoutAddress()
      return openAiClient(options, baseUrl).get('/models', { signal }).asResponse()
    }
    case 'azure-openai':
      return azureModels(options, signal)
    case 'anthropic':
      return anthropicClient(options)
        .get('/v1/models', { query: { limit: 1000 }, signal })
        .asResponse()
    case 'ollama':
      return ollamaFetch(options)(`${options.baseUrl ?? ollamaAddress}/api/tags`, {
        method: 'GET',
        signal,
      })
    default:
      return wire satisfies never
  }
}

function withoutAddress(): WireFailure {
  return new WireFailure('bad-request', `This connection has no base URL. ${correctAddress}`, null)
}
