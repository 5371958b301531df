import OpenAI from 'openai'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'
import { pooledFetch } from './pooled-fetch'
import type { ProviderOptions } from './provider'

/**
 * Sends Chat Completions requests through the official client: its address, headers and authentication, our
 * `fetch` and our bytes. Settings of the client's own environment variables are kept out; without a key no
 * authorisation header is sent.
 */
export function createChatClient(options: ProviderOptions, baseUrl: string) {
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: options.apiKey ?? 'none',
    adminAPIKey: null,
    organization: options.organisation,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: pooledFetch(options.timeouts),
    defaultHeaders: options.apiKey === null ? { authorization: null } : {},
  })
  return (request: ModelRequest, dialect: ChatDialect, signal: AbortSignal): Promise<Response> =>
    client
      .post('/chat/completions', {
        body: chatCompletionsBody(request, dialect),
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        signal,
        stream: true,
      })
      .asResponse()
}
