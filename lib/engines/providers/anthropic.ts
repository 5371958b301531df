import Anthropic from '@anthropic-ai/sdk'
import { readAnthropic } from './anthropic-reader'
import { anthropicBody } from './anthropic-request'
import type { Provider, ProviderOptions } from './provider'
import { streamingProvider } from './stream-turn'
import { wireFetch } from './wire-fetch'

/** The version of the API whose stream is read here. */
const apiVersion = '2026-10-21'

/**
 * Returns the provider for Anthropic's Messages API. It uses the official client's address, and our headers and bytes.
 */
export function anthropicProvider(options: ProviderOptions): Provider {
  const client = anthropicClient(options)
  return streamingProvider(
    {
      name: 'anthropic',
      send: (request, signal) =>
        client
          .post('/v1/messages', { body: anthropicBody(request), signal, stream: true })
          .asResponse(),
      read: readAnthropic,
    },
    options,
  )
}

/** Returns the official client with our `fetch`, without credentials, headers or tracing from the environment. */
export function anthropicClient(options: ProviderOptions): Anthropic {
  return new Anthropic({
    baseURL: options.baseUrl ?? 'https://api.anthropic.com',
    apiKey: 'none',
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    fetch: wireFetch(options, { 'anthropic-version': apiVersion }),
  })
}
