import { wireAddress } from '@/lib/domains/connections/shared/wire-address'
import { storeKey } from '@/lib/engines/providers/failures/connection-advice'
import { HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { type Access, accessOf } from '@/lib/engines/providers/http/bearer-token'
import { readJson } from '@/lib/engines/providers/http/read-json'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  parseObject,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { createPlainerSend } from '@/lib/engines/providers/request/send-plainer'
import { streamingProvider, type Wire } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { readGemini } from './gemini-reader'
import { geminiBody } from './gemini-request'

/**
 * Returns the provider for Google's Gemini API, or the same on Vertex AI: our bytes and our reader over our transport.
 * Only the types of the body are the official client's, because the client uses its own `fetch`, reads keys from the
 * environment, and builds unneeded objects from each piece.
 */
export function geminiProvider(given: ProviderOptions): Provider {
  const { options, fetch, withFreshToken } = geminiAccess(given)
  const address = geminiAddresses(options)
  const send: Wire['send'] = (request, signal, report) => {
    const url = `${address.of(request.modelId)}:streamGenerateContent?alt=sse`
    const ask = sendPlainer(address.list, null, (input) => {
      const { body, headers } = address.isVertex
        ? vertexParts(input)
        : { body: geminiBody(input), headers: undefined }
      const post = () => fetch(url, { method: 'POST', body, signal }, headers)
      return withMeaning(withFreshToken(post, report.mayResend))
    })
    return ask(request, signal, report)
  }
  return streamingProvider({ name: 'gemini', send, read: readGemini }, options)
}

/** Google takes calls without tools, and fields that it does not know are refused for good; gateways may want tools. */
const sendPlainer = createPlainerSend<null>({
  keepsCalls: true,
  plainer: () => null,
  notes: () => [],
})

const mostPages = 10

/** Returns the models of the key's account; for Vertex AI, all that Google offers there. */
export async function geminiModels(given: ProviderOptions, signal: AbortSignal): Promise<unknown> {
  const { options, fetch, withFreshToken } = geminiAccess(given)
  const { list, isVertex } = geminiAddresses(options)
  const models: unknown[] = []
  let pageToken = ''
  for (let page = 0; page < mostPages; page++) {
    const url = pageToken === '' ? list : `${list}&pageToken=${encodeURIComponent(pageToken)}`
    const ask = () => fetch(url, { method: 'GET', signal })
    const answer = await readJson(await withMeaning(withFreshToken(ask)))
    const found = isObject(answer) ? answer[isVertex ? 'publisherModels' : 'models'] : null
    if (!isObject(answer) || !Array.isArray(found)) return page === 0 ? {} : { models }
    models.push(...found)
    pageToken = textAt(answer, 'nextPageToken')
    if (pageToken === '') break
  }
  return { models }
}

function geminiAccess(options: ProviderOptions): Access {
  return accessOf('gemini', options, 'x-goog-api-key')
}

type Addresses = { of: (modelId: string) => string; list: string; isVertex: boolean }

/** Returns the addresses for asking and for listing models. */
export function geminiAddresses({ baseUrl, settings }: ProviderOptions): Addresses {
  const address = (baseUrl ?? wireAddress({ wire: 'gemini', settings }) ?? '').replace(/\/+$/, '')
  if (settings.authentication !== 'service-account') {
    const root = versioned(address, 'v1beta')
    const of = (modelId: string) => `${root}/${modelPath(modelId, /^(?:models|tunedModels)\//)}`
    return { of, list: `${root}/models?pageSize=1000`, isVertex: false }
  }
  const { project = '', location = '' } = settings
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`
  const root = `${versioned(address, 'v1')}/${place}`
  const of = (modelId: string) => {
    const path = modelPath(modelId.replace(/^publishers\/google\//, ''), /^(?:models|endpoints)\//)
    return path.startsWith('endpoints/') ? `${root}/${path}` : `${root}/publishers/google/${path}`
  }
  // The list is not of a project, and the addresses of a continent do not have it.
  const lists = versioned(address, 'v1beta1')
    .replace(/\/v1$/, '/v1beta1')
    .replace(/^https:\/\/aiplatform\.(?:eu|us)\.rep\./, 'https://aiplatform.')
  return { of, list: `${lists}/publishers/google/models?pageSize=300`, isVertex: true }
}

/** Returns the address. A bare host gets the version of the API whose stream is read here. */
function versioned(address: string, version: string): string {
  if (!URL.canParse(address)) return address
  return new URL(address).pathname === '/' ? `${address}/${version}` : address
}

/** Returns the model's path. A name without its kind is under `models/`. */
function modelPath(modelId: string, kinds: RegExp): string {
  const named = kinds.test(modelId) ? modelId : `models/${modelId}`
  return named.split('/').map(encodeURIComponent).join('/')
}

/**
 * Returns headers and body for Vertex AI, which takes the service tier as a header and refuses fields of the Gemini API
 * in the body.
 */
function vertexParts(request: ModelRequest) {
  const tier = request.options?.serviceTier?.toLowerCase()
  if (!request.options || !tier) return { body: geminiBody(request), headers: undefined }
  if (!['standard', 'flex', 'priority'].includes(tier)) {
    throw new WireFailure(
      'bad-request',
      'Vertex AI knows the service tiers standard, flex and priority. Change the service tier of the configuration.',
      null,
    )
  }
  const body = geminiBody({ ...request, options: { ...request.options, serviceTier: null } })
  const headers = { 'x-vertex-ai-llm-shared-request-type': tier }
  return { body, headers: tier === 'standard' ? undefined : headers }
}

async function withMeaning(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof HttpFailure ? meaningOf(error) : error
  }
}

/** Returns what a failure means. A wrong key is a bad request here, and the time to wait is in the body. */
function meaningOf({ status, headers, body }: HttpFailure): Error {
  const details = detailsOf(body)
  if (status === 400 && details.some(({ reason }) => reason === 'API_KEY_INVALID')) {
    return new WireFailure(
      'auth',
      `Google refused the key of this connection (HTTP ${status}). ${storeKey}`,
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

/** Returns the `details` of an error, which some answers put into a list. */
function detailsOf(body: string): JsonObject[] {
  const object = parseObject(body.trim().replace(/^\[([\s\S]*)\]$/, '$1')) ?? {}
  return listAt(objectAt(object, 'error'), 'details').filter(isObject)
}
