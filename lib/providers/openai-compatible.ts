import { createChatClient } from './chat-completions'
import { readChatCompletions } from './chat-completions-reader'
import type { ChatDialect } from './chat-completions-request'
import { correctAddress } from './connection-advice'
import type { Provider, ProviderOptions } from './provider'
import { HttpFailure, WireFailure } from './provider-error'
import { streamingProvider, type Wire } from './stream-turn'

const commonDialect: ChatDialect = { maxTokensField: 'max_tokens', includeUsage: true }

/** What servers turned out to accept, by address; forgotten with the process. */
const learned = new Map<string, ChatDialect>()
const mostLearned = 500

/**
 * Any server that speaks Chat Completions (vLLM, LM Studio, Groq, Mistral, OpenRouter, Gemini's). `baseUrl` is the
 * address in front of `/chat/completions`. A server that refuses an optional field by name is asked again at once
 * without it, before anything was shown.
 */
export function openaiCompatibleProvider(options: ProviderOptions): Provider {
  const baseUrl = compatibleBaseUrl(options)
  const wire = { name: 'openai-compatible', read: readChatCompletions }
  if (baseUrl === '') return streamingProvider({ ...wire, send: refuseWithoutAddress }, options)
  const client = createChatClient(options, baseUrl)

  const send: Wire['send'] = async (request, signal, onResend) => {
    let dialect = learned.get(baseUrl) ?? commonDialect
    for (;;) {
      try {
        return await client(request, dialect, signal)
      } catch (error) {
        const plainer = plainerDialect(error, dialect)
        if (!plainer) throw error
        dialect = plainer
        if (learned.size < mostLearned) learned.set(baseUrl, dialect)
        onResend()
      }
    }
  }
  return streamingProvider({ ...wire, send }, options)
}

/** The address in front of `/chat/completions`, which people paste with it; '' when there is none. */
export function compatibleBaseUrl({ baseUrl }: Pick<ProviderOptions, 'baseUrl'>): string {
  return (baseUrl ?? '').replace(/\/chat\/completions\/?$/, '')
}

async function refuseWithoutAddress(): Promise<Response> {
  throw new WireFailure('bad-request', `This connection has no base URL. ${correctAddress}`, null)
}

/** Each step takes away or exchanges one field, so that there are at most two. */
function plainerDialect(error: unknown, dialect: ChatDialect): ChatDialect | null {
  if (!(error instanceof HttpFailure) || (error.status !== 400 && error.status !== 422)) return null
  if (dialect.includeUsage && error.body.includes('stream_options')) {
    return { ...dialect, includeUsage: false }
  }
  if (dialect.maxTokensField === 'max_tokens' && error.body.includes('max_completion_tokens')) {
    return { ...dialect, maxTokensField: 'max_completion_tokens' }
  }
  return null
}
