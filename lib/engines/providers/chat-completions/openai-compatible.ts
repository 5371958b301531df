import { correctAddress } from '@/lib/engines/providers/failures/connection-advice'
import { type HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import {
  isCachingRefused,
  withoutCacheOptions,
} from '@/lib/engines/providers/openai/openai-caching'
import { openAiFetch } from '@/lib/engines/providers/openai/openai-client'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import { hasResultImages } from '@/lib/engines/providers/request/attachments'
import { createPlainerSend, withoutStrictTools } from '@/lib/engines/providers/request/send-plainer'
import { streamingProvider, type Wire } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { createChatClient } from './chat-completions'
import { readChatCompletions } from './chat-completions-reader'
import type { ChatDialect } from './chat-completions-request'

const commonDialect: ChatDialect = {
  maxTokensField: 'max_tokens',
  includeUsage: true,
}
/** The dialect of OpenAI's own models, wherever they are served. */
export const openAiDialect: ChatDialect = {
  ...commonDialect,
  maxTokensField: 'max_completion_tokens',
  callIds: 'openai',
  cacheOptions: true,
  strictTools: true,
}

/**
 * Returns the provider for any server of Chat Completions (vLLM, LM Studio, Groq, Mistral, OpenRouter, Gemini's,
 * OpenAI's own). `baseUrl` is the address before `/chat/completions`. A server that refuses an optional field by name
 * is asked again at once without it, before anything was shown.
 */
export function openaiCompatibleProvider(options: ProviderOptions): Provider {
  const baseUrl = compatibleBaseUrl(options)
  const emptyReason = options.settings.emptyReason === 'complete'
  const read: Wire['read'] = (turn) => readChatCompletions(turn, { emptyReason })
  const wire = { name: 'openai-compatible', read }
  if (baseUrl === '') return streamingProvider({ ...wire, send: refuseWithoutAddress }, options)
  const send = chatSend(options, baseUrl, isOpenAi(baseUrl) ? openAiDialect : commonDialect)
  return streamingProvider({ ...wire, send }, options)
}

/**
 * Sends Chat Completions requests, and again without what a server refuses by name. `fetch` carries the authorisation.
 */
export function chatSend(
  options: ProviderOptions,
  baseUrl: string,
  dialect: ChatDialect,
  fetch = openAiFetch(options),
): Wire['send'] {
  return sendPlainer(baseUrl, dialect, createChatClient(baseUrl, fetch))
}

/** Returns the address before `/chat/completions`, which people paste with it; '' when there is none. */
export function compatibleBaseUrl({ baseUrl }: Pick<ProviderOptions, 'baseUrl'>): string {
  return (baseUrl ?? '').replace(/\/chat\/completions\/?$/, '')
}

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com'
}

async function refuseWithoutAddress(): Promise<Response> {
  throw new WireFailure('bad-request', `This connection has no base URL. ${correctAddress}`, null)
}

const sendPlainer = createPlainerSend<ChatDialect>({
  keepsCalls: true,
  plainer: plainerDialect,
  notes: ({ noEffortWithTools, cacheOptions, strictTools }, { tools, options }) => [
    ...(noEffortWithTools && tools.length > 0 ? [withoutEffort] : []),
    ...(strictTools === false && tools.length > 0 ? [withoutStrictTools] : []),
    ...(cacheOptions === false && options?.promptCaching === false ? [withoutCacheOptions] : []),
  ],
})

/**
 * Returns the dialect without the refused field. Each step removes or replaces one field, so there are at most seven.
 */
function plainerDialect(
  { body }: HttpFailure,
  dialect: ChatDialect,
  { tools, messages }: Pick<ModelRequest, 'tools' | 'messages'>,
): ChatDialect | null {
  if (dialect.includeUsage && body.includes('stream_options')) {
    return { ...dialect, includeUsage: false }
  }
  if (dialect.maxTokensField === 'max_tokens' && body.includes('max_completion_tokens')) {
    return { ...dialect, maxTokensField: 'max_completion_tokens' }
  }
  if (!dialect.noEffortWithTools && tools.length > 0 && effortRefused.test(body)) {
    return { ...dialect, noEffortWithTools: true }
  }
  if (!dialect.answersResults && hasResultImages(messages) && userRefused.test(body)) {
    return { ...dialect, answersResults: true }
  }
  if (dialect.cacheOptions && isCachingRefused(body)) return { ...dialect, cacheOptions: false }
  if (dialect.strictTools && tools.length > 0 && /invalid_function_parameters/i.test(body)) {
    return { ...dialect, strictTools: false }
  }
  if (dialect.callIds !== 'mistral' && idsRefused.test(body)) {
    return { ...dialect, callIds: 'mistral' }
  }
  return null
}

/** Error of servers of Mistral's models for call ids that other models made. */
const idsRefused = /tool call id\b[\s\S]*\blength of 9\b/i

/** Error of OpenAI for reasoning models that are offered functions over Chat Completions. */
const effortRefused = /tools with reasoning_effort are not supported/i

/** Error of servers of Mistral's models for images after results. */
const userRefused = /unexpected role\W{1,4}user\W{1,4}after role\W{1,4}tool/i

const withoutEffort =
  'Over Chat Completions this model takes no tools while it thinks, so it was asked with the reasoning effort “none”. Choose Responses for the connection to let it think.'
