import type OpenAI from 'openai'
import { wireFetch } from '@/lib/engines/providers/http/wire-fetch'
import type { ProviderOptions } from '@/lib/engines/providers/provider'

/**
 * Resolves with the official client with our `fetch`, without its own environment variables. It is loaded when first
 * used.
 */
export async function openAiClient(
  options: ProviderOptions,
  baseUrl: string,
  fetch = openAiFetch(options),
): Promise<OpenAI> {
  const { default: Client } = await import('openai')
  return new Client({
    baseURL: baseUrl,
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch,
  })
}

/**
 * Returns the `fetch` for every request to OpenAI's APIs, with our headers, and the organisation where there is one.
 */
export function openAiFetch(options: ProviderOptions) {
  const { organisation } = options
  return wireFetch(options, organisation === null ? {} : { 'openai-organization': organisation })
}
