import { wireAddress } from '@/lib/domains/connections/shared/wire-address'
import { isStrictRefused, takesStrictTools } from '@/lib/engines/providers/anthropic/claude-tools'
import { correctAddress, storeKey } from '@/lib/engines/providers/failures/connection-advice'
import { HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { pooledFetch } from '@/lib/engines/providers/http/pooled-fetch'
import { readJson } from '@/lib/engines/providers/http/read-json'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import { isObject, listAt, parseObject, textAt } from '@/lib/engines/providers/request/json-value'
import { createPlainerSend, withoutStrictTools } from '@/lib/engines/providers/request/send-plainer'
import { streamingProvider, type Wire } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { isClaudeOnBedrock } from '@/lib/protocol/model/model-ids'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { awsSigner } from './aws-signer'
import { readBedrock } from './bedrock-reader'
import { bedrockBody } from './bedrock-request'

/** `refused`: the answer schemas that a model did not take: any, or this one. */
type Dialect = { cachePoints: boolean; strictTools: boolean; refused: 'any' | JsonObject | null }

const wholeDialect: Dialect = { cachePoints: true, strictTools: true, refused: null }

const sendPlainer = createPlainerSend<Dialect>({
  // An account without access to prompt caching is refused with 403.
  statuses: [400, 403],
  plainer: plainerDialect,
  notes: (dialect, { options, tools }) => [
    ...(options?.outputSchema && !takesSchema(dialect, options.outputSchema)
      ? [withoutSchema]
      : []),
    ...(dialect.strictTools || tools.length === 0 ? [] : [withoutStrictTools]),
  ],
})

/**
 * Returns the provider for Amazon Bedrock's Converse API: our bytes and reader over our transport, signed by the
 * official client. A model that refuses cache points, strict tools or the answer schema is asked again at once without
 * them, before anything was shown.
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
    return withMeaning(fetch(url, { method: 'POST', headers: signed, body, signal }))
  }

  const askIn = (request: ModelRequest, dialect: Dialect, signal: AbortSignal) => {
    const { cachePoints } = dialect
    const schema = request.options?.outputSchema ?? null
    const textFormat = schema !== null && takesSchema(dialect, schema)
    const strictTools = dialect.strictTools && takesStrictTools(request.modelId)
    const body = bedrockBody(request, { cachePoints, textFormat, strictTools })
    return ask(request.modelId, body, signal)
  }
  const send: Wire['send'] = (request, signal, report) =>
    sendPlainer(address(), wholeDialect, askIn)(request, signal, report)
  return streamingProvider({ name: 'bedrock', send, read: readBedrock }, options)
}

/**
 * Returns the model id as one part of the path. Model ids have colons, and those of inference profiles may have
 * slashes.
 */
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

function takesSchema({ refused }: Dialect, schema: JsonObject): boolean {
  return refused !== 'any' && refused !== schema
}

const withoutSchema =
  'The model did not take the answer schema as a part of the request. The system prompt alone says what the answer must be.'

/**
 * Returns the dialect without what was refused. Each step removes one thing, so there are at most three. A refusal that
 * names the schema is about the schema alone.
 */
function plainerDialect(
  { body }: HttpFailure,
  dialect: Dialect,
  { modelId, options, tools }: ModelRequest,
): Dialect | null {
  const isMarked = dialect.cachePoints && isClaudeOnBedrock(modelId)
  if (isMarked && /cachePoint|prompt caching/i.test(body)) return { ...dialect, cachePoints: false }
  const isStrict = dialect.strictTools && tools.length > 0 && takesStrictTools(modelId)
  if (isStrict && isStrictRefused(body)) return { ...dialect, strictTools: false }
  const schema = options?.outputSchema
  if (!schema || !takesSchema(dialect, schema)) return null
  if (!/outputConfig|output_config\.format|textFormat|structured output/i.test(body)) return null
  return { ...dialect, refused: /schema/i.test(body) ? schema : 'any' }
}

/** Error types with which Amazon refuses a signature or credentials, with status 400 or 403. */
const badCredentials =
  /^(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken|InvalidToken)/

/** Returns an answer, or its refusal in words for people that fit this provider. */
async function withMeaning(answer: Promise<Response>): Promise<Response> {
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
 * Returns the models of the region, and the inference profiles, through which many models must be asked. The profiles
 * are left out when the account may not list them.
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
    const answer = await readJson(await withMeaning(fetch(url, { method: 'GET', headers, signal })))
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

/** Returns the address that lists models. At Amazon it is another host; any other address lists its own. */
function controlAddress(address: string): string {
  const url = new URL(address)
  const isAmazon = /\.amazonaws\.com(?:\.cn)?$/.test(url.hostname)
  if (isAmazon) url.hostname = url.hostname.replace(/^bedrock-runtime(?=[.-])/, 'bedrock')
  return url.href.replace(/\/+$/, '')
}
