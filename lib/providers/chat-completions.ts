import OpenAI from 'openai'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'
import type { ProviderOptions } from './provider'
import { wireFetch } from './wire-fetch'

/**
 * Sends Chat Completions requests to the address the official client would, with our `fetch`, headers and bytes. The
 * client is asked once, since the address is the same in every request and asking costs more than one.
 */
export function createChatClient(
  options: ProviderOptions,
  baseUrl: string,
  send = openAiFetch(options),
) {
  let prepared: Promise<string> | undefined
  return async (
    request: ModelRequest,
    dialect: ChatDialect,
    signal: AbortSignal,
  ): Promise<Response> => {
    prepared ??= chatAddress(options, baseUrl)
    const body = chatCompletionsBody(request, dialect)
    return send(await prepared, { method: 'POST', body, signal })
  }
}

async function chatAddress(options: ProviderOptions, baseUrl: string): Promise<string> {
  const { url } = await openAiClient(options, baseUrl).buildRequest({
    method: 'post',
    path: '/chat/completions',
  })
  return url
}

/** The official client with our `fetch`, and nothing of its own environment variables. */
export function openAiClient(
  options: ProviderOptions,
  baseUrl: string,
  fetch = openAiFetch(options),
): OpenAI {
  return new OpenAI({
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

/** Every request to this wire goes through it: our headers, and the organisation where there is one. */
export function openAiFetch(options: ProviderOptions) {
  const { organisation } = options
  return wireFetch(options, organisation === null ? {} : { 'openai-organization': organisation })
}
