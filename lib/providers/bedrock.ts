import { isClaudeOnBedrock } from '@/lib/protocol/model-families'
import { wireAddress } from '@/lib/protocol/wire-address'
import { awsSigner } from './aws-signer'
import { readBedrock } from './bedrock-reader'
import { bedrockBody } from './bedrock-request'
import { rootOf } from './classify-failure'
import { correctAddress, storeKey } from './connection-advice'
import { isObject, listAt, parseObject, textAt } from './json-value'
import { pooledFetch } from './pooled-fetch'
import type { Provider, ProviderOptions } from './provider'
import { HttpFailure, WireFailure } from './provider-error'
import { readJson } from './read-json'
import { streamingProvider, type Wire } from './stream-turn'

/** Models that refused cache points, by address; forgotten with the process. */
const withoutCachePoints = new Set<string>()
const mostLearned = 500

/**
 * Amazon Bedrock over the Converse API: our bytes and reader over our transport, signed by the official client. A model
 * that refuses cache points is asked again at once without them, before anything was shown.
 */
export function bedrockProvider(given: ProviderOptions): Provider {
  const signer = awsSigner(given)
  const options = { ...given, issuedSecrets: signer.issued }
  const fetch = pooledFetch(options)
  const address = addressOf(options)

  const ask = async (modelId: string, body: Uint8Array, signal: AbortSignal) => {
    const url = new URL(`${address()}/model/${label(modelId)}/converse-stream`)
    const headers = {
      accept: 'application/vnd.amazon.eventstream',
      'content-type': 'application/json',
      'user-agent': 'Toolgate',
    }
    const signed = await signer.headers({ method: 'POST', url, headers, body }, signal)
    return told(fetch(url, { method: 'POST', headers: signed, body, signal }))
  }

  const send: Wire['send'] = async (request, signal, { resent }) => {
    const place = `${address()} ${request.modelId}`
    const cachePoints = isClaudeOnBedrock(request.modelId) && !withoutCachePoints.has(place)
    try {
      return await ask(request.modelId, bedrockBody(request, { cachePoints }), signal)
    } catch (error) {
      if (!cachePoints || !refusesCachePoints(error)) throw error
      if (withoutCachePoints.size < mostLearned) withoutCachePoints.add(place)
      resent()
      return ask(request.modelId, bedrockBody(request, { cachePoints: false }), signal)
    }
  }
  return streamingProvider({ name: 'bedrock', send, read: readBedrock }, options)
}

/** Model ids have colons, those of inference profiles may have slashes: both belong to one part of the path. */
function label(modelId: string): string {
  return encodeURIComponent(modelId).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function addressOf({ baseUrl, settings }: ProviderOptions): () => string {
  return () => {
    const address = baseUrl ?? wireAddress({ wire: 'bedrock', settings })
    if (address !== null) return address.replace(/\/+$/, '')
    throw new WireFailure('bad-request', `This connection has no region. ${correctAddress}`, null)
  }
}

function refusesCachePoints(error: unknown): boolean {
  const root = rootOf(error)
  if (!(root instanceof HttpFailure) || ![400, 403].includes(root.status)) return false
  return /cachePoint|prompt caching/i.test(root.body)
}

/** What Amazon says of a signature or of credentials that it does not take, with status 400 or 403. */
const badCredentials =
  /^(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken|InvalidToken)/

/** An answer, or its refusal in the words for people that fit this provider. */
async function told(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof HttpFailure ? meaningOf(error) : error
  }
}

function meaningOf(failure: HttpFailure): Error {
  const { status, headers, body } = failure
  const type = headers['x-amzn-errortype'] ?? textAt(parseObject(body) ?? {}, '__type')
  if ((status === 400 || status === 403) && badCredentials.test(type)) {
    return new WireFailure(
      'auth',
      `Amazon refused the credentials of this connection (HTTP ${status}). Check the access key id, the region and the clock of this server. ${storeKey}`,
      { type, body },
      status,
    )
  }
  if (status === 424) {
    return new WireFailure(
      'server',
      `The model failed while it read the request (HTTP ${status}). Try again later, or pick another model.`,
      { type, body },
      status,
    )
  }
  return failure
}

/**
 * The models of the region that can be asked, and the inference profiles, which many models can only be asked through. The
 * list of profiles is left out when the account may not read it.
 */
export async function bedrockModels(
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<{ modelSummaries: unknown[]; inferenceProfileSummaries: unknown[] }> {
  const address = controlAddress(addressOf(options)())
  const signer = awsSigner(options)
  const fetch = pooledFetch(options)
  const read = async (path: string) => {
    const url = new URL(`${address}${path}`)
    const common = { accept: 'application/json', 'user-agent': 'Toolgate' }
    const headers = await signer.headers({ method: 'GET', url, headers: common }, signal)
    const answer = await readJson(await told(fetch(url, { method: 'GET', headers, signal })))
    return isObject(answer) ? answer : {}
  }
  const models = await read('/foundation-models?byOutputModality=TEXT')
  if (!Array.isArray(models.modelSummaries))
    return { modelSummaries: [], inferenceProfileSummaries: [] }
  const profiles = await read('/inference-profiles?maxResults=1000').catch((error: unknown) => {
    if (error instanceof HttpFailure) return {}
    throw error
  })
  return {
    modelSummaries: models.modelSummaries,
    inferenceProfileSummaries: listAt(profiles, 'inferenceProfileSummaries'),
  }
}

/** Amazon lists its models at a host of their own; any other address is asked itself. */
function controlAddress(address: string): string {
  const url = new URL(address)
  const isAmazon = /\.amazonaws\.com(?:\.cn)?$/.test(url.hostname)
  if (isAmazon) url.hostname = url.hostname.replace(/^bedrock-runtime(?=[.-])/, 'bedrock')
  return url.href.replace(/\/+$/, '')
}
