import { compatibleBaseUrl } from '@/lib/engines/providers/chat-completions/openai-compatible'
import { readJson } from '@/lib/engines/providers/http/read-json'
import { openAiFetch } from '@/lib/engines/providers/openai/openai-client'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
} from '@/lib/engines/providers/request/json-value'
import {
  type DiscoveredModel,
  flagOf,
  isChatModel,
  tokensOf,
  toolCallingOf,
  unknownModel,
} from './discovered-model'

const kindsOfChat = new Set(['', 'model', 'base', 'chat', 'llm', 'vlm', 'language', 'text'])

/**
 * Returns one entry of a `/models` list in OpenAI's form; null when it is not for chat. OpenRouter, vLLM, Groq,
 * Mistral, LM Studio, Together, Fireworks and llama.cpp add fields of their own.
 */
export function discoverCompatible(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(entry.id, entry.display_name ?? entry.name)
  if (!model || !isChatModel(model.modelId) || !isForChat(entry)) return null
  return {
    ...model,
    contextTokens: contextOf(entry),
    maxOutputTokens: tokensOf(
      objectAt(entry, 'top_provider').max_completion_tokens,
      entry.max_completion_tokens,
      entry.max_output_tokens,
    ),
    toolCalling: toolCallingOf(toolsOf(entry)),
    structuredOutput: parameterOf(entry, 'structured_outputs'),
    vision: visionOf(entry),
    reasoning: parameterOf(entry, 'reasoning'),
  }
}

function isForChat(entry: JsonObject): boolean {
  const kind = typeof entry.type === 'string' ? entry.type : ''
  const capabilities = objectAt(entry, 'capabilities')
  return (
    kindsOfChat.has(kind) &&
    entry.active !== false &&
    capabilities.completion_chat !== false &&
    // Azure's word for it.
    capabilities.chat_completion !== false &&
    entry.supports_chat !== false
  )
}

function contextOf(entry: JsonObject): number | null {
  return tokensOf(
    entry.max_model_len,
    entry.context_window,
    entry.loaded_context_length,
    objectAt(entry, 'top_provider').context_length,
    entry.context_length,
    entry.max_context_length,
    objectAt(entry, 'meta').n_ctx,
  )
}

function toolsOf(entry: JsonObject): boolean | null {
  const listed = capabilityNames(entry)
  if (listed) return listed.some((name) => name === 'tool_use' || name === 'function_calling')
  return (
    parameterOf(entry, 'tools') ??
    flagOf(objectAt(entry, 'capabilities').function_calling) ??
    flagOf(entry.supports_tools)
  )
}

function visionOf(entry: JsonObject): boolean | null {
  if (entry.type === 'vlm') return true
  const architecture = objectAt(entry, 'architecture')
  if (Array.isArray(architecture.input_modalities)) {
    return architecture.input_modalities.includes('image')
  }
  return flagOf(objectAt(entry, 'capabilities').vision) ?? flagOf(entry.supports_image_input)
}

/** Returns the names of a model's capabilities. LM Studio lists them; others have an object there, or nothing. */
function capabilityNames(entry: JsonObject): unknown[] | null {
  return Array.isArray(entry.capabilities) ? listAt(entry, 'capabilities') : null
}

/** Returns whether a model takes a parameter. A server that lists parameters, as OpenRouter does, lists all of them. */
function parameterOf(entry: JsonObject, name: string): boolean | null {
  const names = listAt(entry, 'supported_parameters')
  return names.length === 0 ? null : names.includes(name)
}

/** A field that only LM Studio writes into the entries of `/v1/models`. */
const owner = 'organization_owner'

/**
 * Returns a list of `/models` with the facts of LM Studio's own list: window, kind, tools. Returns it unchanged when it
 * is not LM Studio's, or when that list cannot be read.
 */
export async function withLmStudioFacts(
  answer: unknown,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isObject(answer) || !isOfLmStudio(answer)) return answer
  try {
    const known = byId(await askForFacts(options, signal))
    const data = entriesOf(answer).map((entry) => ({ ...entry, ...known.get(entry.id) }))
    return { ...answer, data }
  } catch (error) {
    if (signal.aborted) throw error
    return answer
  }
}

function isOfLmStudio(answer: JsonObject): boolean {
  return entriesOf(answer).some(({ owned_by }) => owned_by === owner)
}

async function askForFacts(options: ProviderOptions, signal: AbortSignal): Promise<unknown> {
  const root = compatibleBaseUrl(options).replace(/\/v1\/?$/, '')
  return readJson(await openAiFetch(options)(`${root}/api/v0/models`, { method: 'GET', signal }))
}

function byId(answer: unknown): Map<unknown, JsonObject> {
  const entries = isObject(answer) ? entriesOf(answer) : []
  return new Map(entries.map((entry) => [entry.id, entry]))
}

function entriesOf(answer: JsonObject): JsonObject[] {
  return listAt(answer, 'data').filter(isObject)
}
