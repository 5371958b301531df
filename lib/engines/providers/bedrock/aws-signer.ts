import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { storeKey } from '@/lib/engines/providers/failures/connection-advice'
import { HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { pooledFetch, responseBytes } from '@/lib/engines/providers/http/pooled-fetch'
import { unlessAborted } from '@/lib/engines/providers/http/unless-aborted'
import type { ProviderOptions } from '@/lib/engines/providers/provider'

type ToSign = {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: Uint8Array
}

export type AwsSigner = {
  /**
   * The headers of a request with its signature or bearer token. Throws WireFailure when there is nothing to sign with.
   */
  headers: (request: ToSign, signal: AbortSignal) => Promise<Record<string, string>>
  /** The credentials that were found in the environment, for who removes secrets from logs. */
  issued: () => readonly string[]
}

/** Signs requests to Amazon Bedrock the way the connection says. */
export function awsSigner(options: ProviderOptions): AwsSigner {
  const { apiKey, settings } = options
  if (settings.authentication === 'bearer') {
    return {
      headers: async ({ headers }) => {
        if (apiKey === null) throw withoutKey('API key')
        return { ...headers, authorization: `Bearer ${apiKey}` }
      },
      issued: () => [],
    }
  }
  // A signature is of a moment and a key.
  if (options.insteadOfSending) return { headers: async ({ headers }) => headers, issued: () => [] }
  const issued: string[] = []
  return {
    headers: async (request, signal) => unlessAborted(sign(options, request, issued), signal),
    issued: () => issued,
  }
}

async function sign(
  options: ProviderOptions,
  { method, url, headers, body }: ToSign,
  issued: string[],
): Promise<Record<string, string>> {
  const client = await clientFor(options)
  if (options.settings.authentication === 'environment') await noteCredentials(client, issued)
  const signingRegion = options.settings.region ?? ''
  const signer = await client.config.signer({
    name: 'sigv4',
    signingName: 'bedrock',
    signingRegion,
    properties: {},
  })
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port !== '' && { port: Number(url.port) }),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { ...headers, host: url.host },
    body,
  })
  return signed.headers
}

/** Remembers each secret that the environment gave: it may come back in an answer. */
async function noteCredentials(client: BedrockRuntimeClient, issued: string[]): Promise<void> {
  try {
    const { secretAccessKey, sessionToken } = await client.config.credentials()
    for (const secret of [secretAccessKey, sessionToken])
      if (secret !== undefined && !issued.includes(secret)) issued.push(secret)
  } catch (error) {
    throw new WireFailure(
      'auth',
      'No AWS credentials were found in the environment of this server. Give its role access to Amazon Bedrock, or store an access key in the connection.',
      { error },
    )
  }
}

const clients = new Map<string, Promise<BedrockRuntimeClient>>()
const mostClients = 200

/**
 * Returns the client for these settings. It is shared, because it caches the credentials of the environment until
 * shortly before they end.
 */
function clientFor(options: ProviderOptions): Promise<BedrockRuntimeClient> {
  const { settings, apiKey, privateAddressAllowed, timeouts } = options
  const key = createHash('sha256')
    .update(JSON.stringify([settings, apiKey, privateAddressAllowed, timeouts]))
    .digest('base64url')
  const known = clients.get(key)
  if (known) return known
  if (clients.size >= mostClients) clients.clear()
  const client = openClient(options)
  clients.set(key, client)
  client.catch(() => clients.delete(key))
  return client
}

/** Loads the client on first use, because loading takes a fifth of a second and few installations use it. */
async function openClient(options: ProviderOptions): Promise<BedrockRuntimeClient> {
  const { apiKey, settings } = options
  const { region = '', accessKeyId = '', authentication } = settings
  const isEnvironment = authentication === 'environment'
  if (!isEnvironment && apiKey === null) throw withoutKey('secret access key')
  // For whoever installs newer versions than the one that is pinned here.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { BedrockRuntimeClient: Client } = await import('@aws-sdk/client-bedrock-runtime')
  return new Client({
    region,
    maxAttempts: 1,
    requestHandler: guardedHandler(options),
    ...(!isEnvironment && { credentials: { accessKeyId, secretAccessKey: apiKey ?? '' } }),
  })
}

type HandledRequest = {
  method: string
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: unknown
}

/**
 * Returns a handler that sends the client's own requests over our transport, such as those for a role's credentials
 * (AWS STS). The client itself asks the metadata services of a machine or container, because our transport blocks their
 * addresses.
 */
function guardedHandler({ timeouts, privateAddressAllowed }: ProviderOptions) {
  const send = pooledFetch({
    headers: {},
    privateAddressAllowed,
    publicAddressRefused: false,
    ...(timeouts && { timeouts }),
  })
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    handle: async (request: HandledRequest) => {
      const { protocol, hostname, port, path, method, headers, body } = request
      const url = new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}`)
      for (const [name, value] of Object.entries(request.query ?? {}))
        for (const each of [value ?? ''].flat()) url.searchParams.append(name, each)
      try {
        const answer = await send(url, { method, headers, body })
        const given = { statusCode: answer.status, headers: Object.fromEntries(answer.headers) }
        return { response: { ...given, body: Readable.from(responseBytes(answer)) } }
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        const given = { statusCode: error.status, headers: error.headers }
        return { response: { ...given, body: Readable.from([Buffer.from(error.body)]) } }
      }
    },
  }
}

function withoutKey(what: string): WireFailure {
  return new WireFailure('auth', `This connection has no ${what}. ${storeKey}`, null)
}
