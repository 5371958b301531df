import { wireAddress } from '@/lib/protocol/wire-address'
import { correctAddress, storeKey } from './connection-advice'
import { readGemini } from './gemini-reader'
import { geminiBody } from './gemini-request'
import { isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from './json-value'
import type { Provider, ProviderOptions } from './provider'
import { HttpFailure, WireFailure } from './provider-error'
import { streamingProvider } from './stream-turn'
import { wireFetch } from './wire-fetch'

/**
 * Google's Gemini API: our bytes and our reader over our transport. The body's types are the official client's; the client
 * itself brings its own `fetch`, reads keys from the environment, and parses each piece into objects that nobody needs.
 */
export function geminiProvider(options: ProviderOptions): Provider {
  const fetch = geminiFetch(options)
  const address = geminiAddress(options)
  return streamingProvider(
    {
      name: 'gemini',
      send: (request, signal) => {
        const url = `${address}/${modelPath(request.modelId)}:streamGenerateContent?alt=sse`
        return told(fetch(url, { method: 'POST', body: geminiBody(request), signal }))
      },
      read: readGemini,
    },
    options,
  )
}

/** The list of models of the account behind the key. */
export function geminiModels(options: ProviderOptions, signal: AbortSignal): Promise<Response> {
  const url = `${geminiAddress(options)}/models?pageSize=1000`
  return told(geminiFetch(options)(url, { method: 'GET', signal }))
}

function geminiFetch(options: ProviderOptions) {
  const { apiKey } = options
  const own: Record<string, string> = apiKey === null ? {} : { 'x-goog-api-key': apiKey }
  return wireFetch({ ...options, apiKey: null }, own)
}

/** The address in front of `/models`: a bare host gets the version of the API whose stream is read here. */
function geminiAddress({ baseUrl, settings }: ProviderOptions): string {
  const address = (baseUrl ?? wireAddress({ wire: 'gemini', settings }) ?? '').replace(/\/+$/, '')
  if (!URL.canParse(address)) return address
  return new URL(address).pathname === '/' ? `${address}/v1beta` : address
}

/** Models are listed as `models/…`, tuned ones as `tunedModels/…`; without either it is one of the first. */
function modelPath(modelId: string): string {
  const named = /^(?:models|tunedModels)\//.test(modelId) ? modelId : `models/${modelId}`
  return named.split('/').map(encodeURIComponent).join('/')
}

async function told(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof HttpFailure ? meaningOf(error) : error
  }
}

/** A wrong key is a bad request here, and how long to wait stands in the body. */
function meaningOf({ status, headers, body }: HttpFailure): Error {
  const details = detailsOf(body)
  if (status === 400 && details.some(({ reason }) => reason === 'API_KEY_INVALID')) {
    return new WireFailure(
      'auth',
      `Google refused the key of this connection (HTTP ${status}). ${storeKey} ${correctAddress}`,
      { body },
      status,
    )
  }
  const delay = details.map((detail) => textAt(detail, 'retryDelay')).find((text) => text !== '')
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1]
  if (seconds === undefined || headers['retry-after'] !== undefined)
    return new HttpFailure(status, headers, body)
  return new HttpFailure(status, { ...headers, 'retry-after': seconds }, body)
}

/** The `details` of an error, which some answers put into a list. */
function detailsOf(body: string): JsonObject[] {
  const object = parseObject(body.trim().replace(/^\[([\s\S]*)\]$/, '$1')) ?? {}
  return listAt(objectAt(object, 'error'), 'details').filter(isObject)
}
