import type Anthropic from '@anthropic-ai/sdk'
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
  let opened: Promise<Anthropic> | undefined
  return streamingProvider(
    {
      name: 'anthropic',
      send: async (request, signal) => {
        opened ??= anthropicClient(options)
        const client = await opened
        const body = anthropicBody(request)
        return client.post('/v1/messages', { body, signal, stream: true }).asResponse()
      },
      read: readAnthropic,
    },
    options,
  )
}

/**
 * Resolves with the official client with our `fetch`, without credentials, headers or tracing from the environment. It
 * is loaded when first used.
 */
export async function anthropicClient(options: ProviderOptions): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk')
  return new Client({
    baseURL: options.baseUrl ?? 'https://api.anthropic.com',
    apiKey: 'none',
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    fetch: wireFetch(options, { 'anthropic-version': apiVersion }),
  })
}
