import Anthropic from '@anthropic-ai/sdk'
import { readAnthropic } from './anthropic-reader'
import { anthropicBody } from './anthropic-request'
import { pooledFetch } from './pooled-fetch'
import type { Provider, ProviderOptions } from './provider'
import { streamingProvider } from './stream-turn'

/** Anthropic's Messages API through the official client: its address, headers and authentication, our bytes. */
export function anthropicProvider(options: ProviderOptions): Provider {
  const client = anthropicClient(options)
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

/** The official client with our `fetch`; credentials of its own environment and profiles are kept out. */
export function anthropicClient(options: ProviderOptions): Anthropic {
  return new Anthropic({
    baseURL: options.baseUrl ?? 'https://api.anthropic.com',
    apiKey: options.apiKey ?? 'none',
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: pooledFetch(options),
    defaultHeaders: options.apiKey === null ? { authorization: null } : {},
  })
}
