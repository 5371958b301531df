import { Ollama } from 'ollama'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { readOllama } from './ollama-reader'
import { ollamaRequest } from './ollama-request'
import { pooledFetch } from './pooled-fetch'
import type { Provider, ProviderOptions } from './provider'
import { streamingProvider } from './stream-turn'

export const ollamaAddress = 'http://127.0.0.1:11434'

/**
 * Ollama's own API. The official client builds address, headers and body; its stream cannot be aborted before the
 * first byte and prints what it cannot parse, so the answer is taken from its `fetch` and read here.
 */
export function ollamaProvider(options: ProviderOptions): Provider {
  const fetch = pooledFetch(options)
  const headers = ollamaHeaders(options)

  async function send(request: ModelRequest, signal: AbortSignal): Promise<Response> {
    let answer: Response | undefined
    const client = new Ollama({
      host: options.baseUrl ?? ollamaAddress,
      fetch: async (url, init = {}) => {
        answer = await fetch(url, { ...init, headers: ownHeaders(init.headers, headers), signal })
        return answer
      },
    })
    await client.chat(ollamaRequest(request))
    if (!answer) throw new Error('The Ollama client sent no request.')
    return answer
  }
  return streamingProvider({ name: 'ollama', send, read: readOllama }, options)
}

export function ollamaHeaders({ apiKey }: ProviderOptions): Record<string, string> {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
}

/** The client adds a key from its environment for ollama.com; only the connection's own key may leave. */
function ownHeaders(built: unknown, own: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(built ?? {})) {
    if (name.toLowerCase() !== 'authorization') kept[name] = String(value)
  }
  return { ...kept, ...own }
}
