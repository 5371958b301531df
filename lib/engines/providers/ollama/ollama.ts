import { wireFetch } from '@/lib/engines/providers/http/wire-fetch'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import { streamingProvider } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { readOllama } from './ollama-reader'
import { ollamaBody } from './ollama-request'

export const ollamaAddress = 'http://127.0.0.1:11434'

/**
 * Returns the provider for Ollama's own API. The official client builds the address. Bodies and reader are ours,
 * through its `fetch`: the client's bodies lose digits of numbers, and its stream cannot be aborted before the first
 * byte and prints what it cannot parse.
 */
export function ollamaProvider(options: ProviderOptions): Provider {
  const fetch = ollamaFetch(options)

  async function send(request: ModelRequest, signal: AbortSignal): Promise<Response> {
    const { Ollama } = await import('ollama')
    let answer: Response | undefined
    const client = new Ollama({
      host: options.baseUrl ?? ollamaAddress,
      fetch: async (url, init = {}) => {
        answer = await fetch(url, { ...init, body: ollamaBody(request), signal })
        return answer
      },
    })
    await client.chat({ model: request.modelId, stream: true, messages: [] })
    if (!answer) throw new Error('The Ollama client sent no request.')
    return answer
  }
  return streamingProvider({ name: 'ollama', send, read: readOllama }, options)
}

/** Returns a `fetch` for answers that are JSON, line by line or whole. */
export function ollamaFetch(options: ProviderOptions) {
  return wireFetch(options, { accept: 'application/json' })
}
