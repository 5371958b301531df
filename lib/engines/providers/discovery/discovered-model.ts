import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { cleanText } from '@/lib/words/clean-text'

/** Facts that a provider states about one of its models; null: not stated. Token counts are whole and positive. */
export type DiscoveredModel = {
  modelId: string
  displayName: string
  contextTokens: number | null
  maxOutputTokens: number | null
  toolCalling: ModelTarget['toolCalling']
  structuredOutput: boolean | null
  vision: boolean | null
  reasoning: boolean | null
}

/** No window is near this; what is above it is a fault, not a fact. */
const mostTokens = 100_000_000

const longestId = 200
const longestName = 100

/** Returns the first reported value that is a count of tokens; null when none is. */
export function tokensOf(...values: unknown[]): number | null {
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) continue
    if (value > 0 && value <= mostTokens) return value
  }
  return null
}

export function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** Returns a model of which only the name is known; null when its id could not be sent back. */
export function unknownModel(modelId: unknown, name: unknown): DiscoveredModel | null {
  if (typeof modelId !== 'string' || !isUsableId(modelId)) return null
  return {
    modelId,
    displayName: nameOf(name) || modelId,
    contextTokens: null,
    maxOutputTokens: null,
    toolCalling: 'unconfirmed',
    structuredOutput: null,
    vision: null,
    reasoning: null,
  }
}

function isUsableId(id: string): boolean {
  return id !== '' && id.length <= longestId && id.trim() === id && cleanText(id) === id
}

function nameOf(name: unknown): string {
  if (typeof name !== 'string') return ''
  return cleanText(name).replace(/\s+/g, ' ').trim().slice(0, longestName).toWellFormed()
}

const reported = { true: 'confirmed', false: 'unsupported', null: 'unconfirmed' } as const

/** Returns what a provider's yes, no or silence about tools means. */
export function toolCallingOf(value: boolean | null): DiscoveredModel['toolCalling'] {
  return reported[`${value}`]
}

const noChat =
  /embed|whisper|\btts\b|dall-e|moderation|davinci|babbage|realtime|transcribe|gpt-audio|audio-preview|gpt-image|image-\d|\bsora\b|\brerank|-instruct-\d{4}$|3\.5-turbo-instruct|deep-research|computer-use|\bocr\b/i

/** Returns false for ids that clearly name a model that is not for chat. */
export function isChatModel(modelId: string): boolean {
  return !noChat.test(modelId)
}

/** Returns one entry of Anthropic's list; null when the model can no longer be asked. */
export function discoverAnthropic(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(entry.id, entry.display_name)
  if (!model || entry.lifecycle === 'retired') return null
  const capabilities = objectAt(entry, 'capabilities')
  const structuredOutput = supports(capabilities, 'structured_outputs')
  return {
    ...model,
    contextTokens: tokensOf(entry.max_input_tokens),
    maxOutputTokens: tokensOf(entry.max_tokens),
    // Structured output is said to include the schemas of tools; nothing else in the list speaks of tools.
    toolCalling: structuredOutput ? 'confirmed' : 'unconfirmed',
    structuredOutput,
    vision: supports(capabilities, 'image_input'),
    reasoning: supports(capabilities, 'thinking'),
  }
}

function supports(capabilities: JsonObject, name: string): boolean | null {
  return flagOf(objectAt(capabilities, name).supported)
}

/**
 * Returns the entries of both lists, each profile with the facts of its model; null when the answer is not such a list.
 */
export function bedrockEntries(answer: JsonObject): JsonObject[] | null {
  if (!Array.isArray(answer.modelSummaries)) return null
  const models = answer.modelSummaries.filter(isObject)
  const byId = new Map(models.map((model) => [model.modelId, model]))
  const profiles = listAt(answer, 'inferenceProfileSummaries').flatMap((profile) => {
    if (!isObject(profile) || profile.status !== 'ACTIVE') return []
    const first = objectAt({ first: listAt(profile, 'models')[0] }, 'first')
    const model = byId.get(textAt(first, 'modelArn').split('/').at(-1)) ?? {}
    const { inferenceProfileId: modelId, inferenceProfileName: modelName } = profile
    return [{ ...model, modelId, modelName, inferenceTypesSupported: ['ON_DEMAND'] }]
  })
  return [...models, ...profiles]
}

/** Returns one of `bedrockEntries`; null when the Converse API cannot stream from it. */
export function discoverBedrock(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(entry.modelId, entry.modelName)
  const isAsked = listAt(entry, 'inferenceTypesSupported').includes('ON_DEMAND')
  const isStreamed = flagOf(entry.responseStreamingSupported) !== false
  const outputs = listAt(entry, 'outputModalities')
  const writes = outputs.length === 0 || outputs.includes('TEXT')
  if (!model || !isAsked || !isStreamed || !writes || !isChatModel(model.modelId)) return null
  const inputs = listAt(entry, 'inputModalities')
  return { ...model, vision: inputs.length === 0 ? null : inputs.includes('IMAGE') }
}

/** Returns one entry of Google's list of models; null for a model that does not write text. */
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

/** Returns one entry of Vertex AI's list, which has everything Google ever published there, with only its name. */
function discoverVertex(modelId: string): DiscoveredModel | null {
  const isAsked = /^gemini-/.test(modelId) && !/-(?:live|audio|image)\b/.test(modelId)
  return isAsked && isChatModel(modelId) ? unknownModel(modelId, modelId) : null
}
