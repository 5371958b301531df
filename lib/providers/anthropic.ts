import Anthropic from '@anthropic-ai/sdk'
import { readAnthropic } from './anthropic-reader'
import { anthropicBody } from './anthropic-request'
import { pooledFetch } from './pooled-fetch'
import type { Provider, ProviderOptions } from './provider'
import { streamingProvider } from './stream-turn'

/**
 * Anthropic's Messages API through the official client: its address, headers and authentication, our `fetch` and
 * our bytes. Credentials of the client's own environment and profiles are kept out.
 */
export function anthropicProvider(options: ProviderOptions): Provider {
  const client = new Anthropic({
    baseURL: options.baseUrl ?? 'https://api.anthropic.com',
    apiKey: options.apiKey ?? 'none',
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: pooledFetch(options.timeouts),
    defaultHeaders: options.apiKey === null ? { authorization: null } : {},
  })
  return streamingProvider(
    {
      name: 'anthropic',
      send: (request, signal) =>
        client
          .post('/v1/messages', {
            body: anthropicBody(request),
            headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
            signal,
            stream: true,
          })
          .asResponse(),
      read: readAnthropic,
    },
    options,
  )
}
