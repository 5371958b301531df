import { anthropicClient } from '@/lib/engines/providers/anthropic/anthropic'
import { bedrockModels } from '@/lib/engines/providers/bedrock/bedrock'
import { compatibleBaseUrl } from '@/lib/engines/providers/chat-completions/openai-compatible'
import { checkWire, correctAddress } from '@/lib/engines/providers/failures/connection-advice'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { geminiModels } from '@/lib/engines/providers/gemini/gemini'
import { readJson } from '@/lib/engines/providers/http/read-json'
import { ollamaAddress, ollamaFetch } from '@/lib/engines/providers/ollama/ollama'
import { azureModels } from '@/lib/engines/providers/openai/azure-openai'
import { responsesBaseUrl } from '@/lib/engines/providers/openai/openai'
import { openAiClient } from '@/lib/engines/providers/openai/openai-client'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import { isObject, type JsonObject, listAt } from '@/lib/engines/providers/request/json-value'
import { AppError } from '@/lib/kernel/errors'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { discoverCompatible, withLmStudioFacts } from './discover-compatible'
import { discoverOllama, readOllamaModels } from './discover-ollama'
import {
  bedrockEntries,
  type DiscoveredModel,
  discoverAnthropic,
  discoverBedrock,
  discoverGemini,
  unknownModel,
} from './discovered-model'
import { probeOutcome } from './probe-outcome'

/**
 * Returns the models that a provider offers for chat, by id, with the facts it gives; at most 2,000. Throws AppError
 * with the sentence that a test of the connection would show (`code` is its outcome).
 */
export async function listProviderModels(
  wire: ModelTarget['wire'],
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<DiscoveredModel[]> {
  if (wire === 'demo') return demoModels()
  try {
    const answer = await askForModels(wire, options, signal)
    const said =
      wire === 'openai-compatible' ? await withLmStudioFacts(answer, options, signal) : answer
    const models = readModelList(wire, said)
    if (!models)
      throw refusal('wrong-wire', `The server answers, but not with this API type. ${checkWire}`)
    const known = wire === 'ollama' ? await readOllamaModels(models, options, signal) : models
    return known.sort((one, other) => (one.modelId < other.modelId ? -1 : 1))
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw refusal('timeout', 'The provider did not answer in time. Try again.')
    const { outcome, message } = probeOutcome(error, options)
    throw refusal(outcome, message)
  }
}

function refusal(outcome: string, message: string): AppError {
  return new AppError(`provider-${outcome}`, 502, message)
}

function demoModels(): DiscoveredModel[] {
  const model = unknownModel('demo-rules', 'Demo rules')
  return model ? [{ ...model, toolCalling: 'confirmed' }] : []
}

/** The most models that are read of one provider. */
const mostModels = 2_000

const discover = {
  openai: discoverCompatible,
  'openai-compatible': discoverCompatible,
  'azure-openai': discoverCompatible,
  bedrock: discoverBedrock,
  gemini: discoverGemini,
  anthropic: discoverAnthropic,
  ollama: discoverOllama,
} satisfies Record<RemoteWire, (entry: JsonObject) => DiscoveredModel | null>

/** Returns the models in an answer to `askForModels`, each id once; null when it is not the answer of that API. */
export function readModelList(wire: RemoteWire, answer: unknown): DiscoveredModel[] | null {
  const entries = entriesOf(wire, answer)
  if (!entries) return null
  const models = new Map<string, DiscoveredModel>()
  for (const entry of entries) {
    if (models.size >= mostModels) break
    const model = isObject(entry) ? discover[wire](entry) : null
    if (model && !models.has(model.modelId)) models.set(model.modelId, model)
  }
  return [...models.values()]
}

function entriesOf(wire: RemoteWire, answer: unknown): unknown[] | null {
  // Together and GitHub answer with the bare list.
  if (Array.isArray(answer)) return wire === 'openai-compatible' ? answer : null
  if (!isObject(answer)) return null
  if (wire === 'bedrock') return bedrockEntries(answer)
  const list = answer[wire === 'ollama' || wire === 'gemini' ? 'models' : 'data']
  if (!Array.isArray(list)) return null
  return wire === 'anthropic' && !isAnthropicList(answer) ? null : list
}

/** Returns whether it is Anthropic's list. OpenAI's is called `data`, too. */
function isAnthropicList(answer: JsonObject): boolean {
  const isModel = (entry: unknown) => isObject(entry) && entry.type === 'model'
  return 'has_more' in answer || listAt(answer, 'data').some(isModel)
}

/** The wires that have somebody to ask. */
export type RemoteWire = Exclude<ModelTarget['wire'], 'demo'>

/**
 * Asks for the list of models with one GET, as the API's official client does. This is the smallest request that needs
 * a right address and a valid key. Returns the JSON; throws what `pooledFetch` throws, or WireFailure when the answer
 * is not JSON.
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

async function send(
  wire: Exclude<RemoteWire, 'bedrock' | 'gemini'>,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<Response> {
  switch (wire) {
    case 'openai':
      return (await openAiClient(options, responsesBaseUrl(options)))
        .get('/models', { signal })
        .asResponse()
    case 'openai-compatible': {
      const baseUrl = compatibleBaseUrl(options)
      if (baseUrl === '') throw withoutAddress()
      return (await openAiClient(options, baseUrl)).get('/models', { signal }).asResponse()
    }
    case 'azure-openai':
      return azureModels(options, signal)
    case 'anthropic':
      return (await anthropicClient(options))
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
