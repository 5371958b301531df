import { createHash } from 'node:crypto'
import { HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import { conversationOf, createBodies } from '@/lib/engines/providers/request/growing-body'
import { createPlainerSend, withoutStrictTools } from '@/lib/engines/providers/request/send-plainer'
import { streamingProvider, type Wire } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { isCachingRefused, withoutCacheOptions } from './openai-caching'
import { openAiClient, openAiFetch } from './openai-client'
import { readResponses } from './responses-reader'
import { asksForSummaries, type ResponsesDialect, responsesBody } from './responses-request'

const openAiAddress = 'https://api.openai.com/v1'

const everything: ResponsesDialect = {
  encryptedReasoning: true,
  summaries: true,
  strictTools: true,
  cacheOptions: true,
}

/** Returns the provider for OpenAI itself, over Responses. `baseUrl` is the address before `/responses`. */
export function openaiProvider(options: ProviderOptions): Provider {
  const baseUrl = responsesBaseUrl(options)
  return streamingProvider(
    {
      name: 'openai',
      send: orNotOffered(responsesSend(options, baseUrl)),
      read: readResponses,
    },
    options,
  )
}

/**
 * Returns a sender that says what to do where the address is not known, as to servers that speak Chat Completions
 * alone.
 */
function orNotOffered(send: Wire['send']): Wire['send'] {
  return async (...asking) => {
    try {
      return await send(...asking)
    } catch (error) {
      if (!(error instanceof HttpFailure) || ![404, 405].includes(error.status)) throw error
      const { status, body } = error
      const advice = `The provider does not know this model, or does not offer the Responses API at this address (HTTP ${status}). Check the model id and the base URL. For a server that speaks Chat Completions, choose the API type OpenAI-compatible.`
      throw new WireFailure('not-found', advice, { body }, status)
    }
  }
}

/** Returns the address before `/responses`, which people paste with it. */
export function responsesBaseUrl({ baseUrl }: Pick<ProviderOptions, 'baseUrl'>): string {
  return (baseUrl ?? openAiAddress).replace(/\/responses\/?$/, '')
}

/** Sends Responses requests, and again without what a provider refuses by name. `fetch` carries the authorisation. */
export function responsesSend(
  options: ProviderOptions,
  baseUrl: string,
  fetch = openAiFetch(options),
): Wire['send'] {
  const client = createResponsesClient(options, baseUrl, fetch)
  return sendPlainer(`${baseUrl} ${accountOf(options)}`, everything, client)
}

/** Returns a text that tells accounts apart without their keys. Summaries are given to some accounts only. */
function accountOf({ apiKey, organisation }: ProviderOptions): string {
  const key = createHash('sha256')
    .update(apiKey ?? '')
    .digest('base64url')
  return `${organisation ?? ''} ${key}`
}

/** Sends to the address that the official client would, which is asked once, with our `fetch`, headers and bytes. */
function createResponsesClient(
  options: ProviderOptions,
  baseUrl: string,
  send: ReturnType<typeof openAiFetch>,
) {
  const bodies = createBodies()
  let address: Promise<string> | undefined
  return async (request: ModelRequest, dialect: ResponsesDialect, signal: AbortSignal) => {
    address ??= openAiClient(options, baseUrl)
      .then((client) => client.buildRequest({ method: 'post', path: '/responses' }))
      .then(({ url }) => url)
    const known = await address
    return bodies(conversationOf(request), (make) => {
      const body = responsesBody(request, dialect, make)
      return send(known, { method: 'POST', body, signal })
    })
  }
}

const sendPlainer = createPlainerSend<ResponsesDialect>({
  keepsCalls: true,
  plainer: ({ body }, dialect, { tools }) => {
    if (dialect.summaries && /reasoning[._]summar|reasoning summar/i.test(body))
      return { ...dialect, summaries: false }
    if (dialect.encryptedReasoning && encryptionRefused.test(body))
      return { ...dialect, encryptedReasoning: false }
    if (dialect.cacheOptions && isCachingRefused(body)) return { ...dialect, cacheOptions: false }
    if (dialect.strictTools && tools.length > 0 && /invalid_function_parameters/i.test(body))
      return { ...dialect, strictTools: false }
    return null
  },
  notes: (dialect, request) => [
    ...(dialect.summaries || !asksForSummaries(request) ? [] : [withoutSummaries]),
    ...(dialect.cacheOptions || request.options?.promptCaching !== false
      ? []
      : [withoutCacheOptions]),
    ...(dialect.strictTools || request.tools.length === 0 ? [] : [withoutStrictTools]),
  ],
})

/**
 * Matches an error that refuses encrypted reasoning, but not one that refuses encrypted content from an earlier answer.
 */
const encryptionRefused = /^(?![\s\S]*invalid_encrypted_content)[\s\S]*encrypted[_ ]content/i

const withoutSummaries =
  'The provider gives this account no summaries of what the model thinks, so none were asked for. OpenAI gives them to verified organisations.'
