import type { ProviderFailure } from '@/lib/protocol/failure'
import { httpMeaning } from './http-category'
import { defaultTimeouts, type ProviderOptions } from './provider'
import { HttpFailure, TransportFailure, WireFailure } from './provider-error'
import { scrubSecrets } from './scrub-secrets'

type Meaning = Omit<ProviderFailure, 'incidentId'>

/** Longest wait that is believed of a `Retry-After`. */
const longestRetryMs = 24 * 60 * 60 * 1000

/**
 * Turns anything that ended a request into the failure that people and the journal may see (SPEC R15a): category,
 * status, one sentence, incident id. The raw error goes to `options.onIncident`, keys removed. Never throws.
 */
export function classifyFailure(
  error: unknown,
  wire: string,
  options: ProviderOptions,
  cancelled: boolean,
): ProviderFailure {
  if (cancelled) {
    const incidentId = options.newId()
    return { ...plain('cancelled', 'The request to the provider was cancelled.'), incidentId }
  }
  const incidentId = reportIncident(error, wire, options)
  return { ...meaningOf(rootOf(error), options), incidentId }
}

/** Writes an error to the server's log, keys removed, and gives the id under which it is found. */
export function reportIncident(error: unknown, wire: string, options: ProviderOptions): string {
  const incidentId = options.newId()
  const detail = { wire, address: options.baseUrl, error: rootOf(error) }
  options.onIncident(incidentId, scrubSecrets(detail, [options.apiKey]))
  return incidentId
}

/** The connection ended on its own, as opposed to falling silent or being cancelled. */
export function isBrokenConnection(error: unknown): boolean {
  return isTransportError(error) && connectionCodes.has(codeOf(rootOf(error)))
}

/** The connection ended or fell silent, as opposed to the provider saying what is wrong. */
export function isTransportError(error: unknown): boolean {
  const code = codeOf(rootOf(error))
  return connectionCodes.has(code) || code === 'UND_ERR_BODY_TIMEOUT'
}

/** The SDKs wrap what our `fetch` threw as the cause of an error of their own. */
function rootOf(error: unknown): unknown {
  for (let at = error, depth = 0; depth < 5; depth++) {
    if (at instanceof TransportFailure) return at.origin
    if (at instanceof HttpFailure || at instanceof WireFailure) return at
    if (!(at instanceof Error) || at.cause === undefined) return error
    at = at.cause
  }
  return error
}

function meaningOf(error: unknown, options: ProviderOptions): Meaning {
  if (error instanceof WireFailure)
    return { ...plain(error.category, error.advice), status: error.status }
  if (error instanceof HttpFailure) {
    return {
      ...httpMeaning(error.status, error.body),
      status: error.status,
      retryAfterMs: retryAfterMs(error.headers),
    }
  }
  return networkMeaning(codeOf(error), options)
}

function plain(category: ProviderFailure['category'], advice: string): Meaning {
  return { category, advice, status: null, retryAfterMs: null }
}

const connectionCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
])

function networkMeaning(code: string, options: ProviderOptions): Meaning {
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  if (code === 'ECONNREFUSED')
    return plain(
      'connection',
      "Nothing answers at the provider's address: the connection was refused. Check that it is running, and its base URL under Connections.",
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return plain(
      'connection',
      "The provider's host name cannot be resolved. Check the base URL under Connections and this server's network.",
    )
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return plain(
      'connection',
      `The provider could not be reached within ${seconds(timeouts.connectMs)}. Check the base URL under Connections and this server's network.`,
    )
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return plain(
      'timeout',
      `The provider did not begin to answer within ${seconds(timeouts.firstByteMs)}. Try again, or check it under Connections.`,
    )
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return plain(
      'timeout',
      `The provider fell silent for ${seconds(timeouts.idleMs)} in the middle of its answer. Try again, or check it under Connections.`,
    )
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return plain(
      'connection',
      "The provider's certificate is not trusted by this server. Check the base URL under Connections, or install its certificate authority.",
    )
  if (code.startsWith('HPE_') || code === 'LINE_TOO_LONG')
    return plain(
      'invalid-response',
      'The address answers, but not in a way this wire allows. Check the base URL and the kind of connection under Connections.',
    )
  if (code === 'ERR_INVALID_URL' || code === 'UND_ERR_INVALID_ARG')
    return plain(
      'bad-request',
      'The request could not be built: the base URL or the key has a form that cannot be sent. Check it under Connections.',
    )
  return plain(
    'connection',
    'The connection to the provider broke. Try again; if it stays, check it under Connections.',
  )
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.name === 'HTTPParserError') return 'HPE_INVALID'
  // Several addresses were tried (IPv6 and IPv4); they failed alike.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error.cause === undefined ? '' : codeOf(error.cause)
}

/** `Retry-After` in seconds or as a date, or OpenAI's `retry-after-ms`; null when absent or nonsense. */
function retryAfterMs(headers: Record<string, string>): number | null {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(ms)) return clampWait(ms)
  const text = headers['retry-after']?.trim()
  if (!text) return null
  if (/^\d+(\.\d+)?$/.test(text)) return clampWait(Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : clampWait(date - Date.now())
}

function clampWait(ms: number): number {
  return Math.round(Math.min(Math.max(ms, 0), longestRetryMs))
}
