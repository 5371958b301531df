import OpenAI from 'openai'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'
import { pooledFetch } from './pooled-fetch'
import type { ProviderOptions } from './provider'

/**
 * Sends Chat Completions requests as the official client would: its address, headers and authentication, our `fetch`
 * and our bytes. The client prepares them once, since they are the same in every request and cost more than one.
 * Settings of its own environment variables are kept out; without a key no authorisation header is sent.
 */
export function createChatClient(options: ProviderOptions, baseUrl: string) {
  const send = pooledFetch(options)
  let prepared: ReturnType<typeof prepare> | undefined
  return async (
    request: ModelRequest,
    dialect: ChatDialect,
    signal: AbortSignal,
  ): Promise<Response> => {
    prepared ??= prepare(options, baseUrl)
    const { url, headers } = await prepared
    return send(url, {
      method: 'POST',
      headers,
      body: chatCompletionsBody(request, dialect),
      signal,
    })
  }
}

async function prepare(options: ProviderOptions, baseUrl: string) {
  const { url, req } = await openAiClient(options, baseUrl).buildRequest({
    method: 'post',
    path: '/chat/completions',
    body: new Uint8Array(),
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    stream: true,
  })
  // Frozen: `fetch` may keep what it made of them.
  return { url, headers: Object.freeze(Object.fromEntries(new Headers(req.headers))) }
}

/** The official client with our `fetch`, and nothing of its own environment variables. */
export function openAiClient(options: ProviderOptions, baseUrl: string): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: options.apiKey ?? 'none',
    adminAPIKey: null,
    organization: options.organisation,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: pooledFetch(options),
    defaultHeaders: options.apiKey === null ? { authorization: null } : {},
  })
}
