import { EgressError } from '@/lib/engines/egress/egress-connector'
import { defaultTimeouts, type ProviderOptions } from '@/lib/engines/providers/provider'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import { httpMeaning } from './http-meaning'
import { networkCode, networkMeaning } from './network-meaning'
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
  options.onIncident(
    incidentId,
    scrubSecrets(detail, [
      options.apiKey,
      ...(options.otherKeys ?? []),
      ...Object.values(options.headers),
      ...(options.issuedSecrets?.() ?? []),
    ]),
  )
  return incidentId
}

/** A connection that was there and ended. */
const brokenCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** One that was there and did not end. */
const silentCodes = new Set(['UND_ERR_BODY_TIMEOUT', 'TOOLGATE_OVERDUE'])

/** Returns whether the request was sent: the connection lasted at least until the first byte was overdue. */
function wasSent(error: unknown): boolean {
  return isTransportError(error) || networkCode(rootOf(error)) === 'UND_ERR_HEADERS_TIMEOUT'
}

/** Returns whether the connection ended by itself, and not by silence or a cancellation. */
export function isBrokenConnection(error: unknown): boolean {
  return isTransportError(error) && brokenCodes.has(networkCode(rootOf(error)))
}

/** Returns whether the connection ended or fell silent, and not the provider reported the failure. */
export function isTransportError(error: unknown): boolean {
  const code = networkCode(rootOf(error))
  return brokenCodes.has(code) || silentCodes.has(code)
}

/** Returns the root cause. The SDKs wrap what our `fetch` threw in an error of their own. */
export function rootOf(error: unknown): unknown {
  for (let at = error, depth = 0; depth < 5; depth++) {
    if (at instanceof TransportFailure) return at.origin
    if (at instanceof HttpFailure || at instanceof WireFailure) return at
    if (!(at instanceof Error) || at.cause === undefined) return error
    at = at.cause
  }
  return error
}

function meaningOf(error: unknown, options: ProviderOptions): Meaning {
  if (error instanceof WireFailure) {
    const { category, advice, status, known } = error
    return { ...plain(category, advice), status, ...(known && { cause: known }) }
  }
  if (error instanceof HttpFailure) {
    const waitMs = retryAfterMs(error.headers)
    return {
      ...httpMeaning(error.status, error.body, waitMs),
      status: error.status,
      retryAfterMs: waitMs,
    }
  }
  if (error instanceof EgressError) return plain('egress', error.message)
  const { category, advice } = networkMeaning(error, { ...defaultTimeouts, ...options.timeouts })
  return { ...plain(category, advice), ...(wasSent(error) && { mayBeCharged: true }) }
}

function plain(category: ProviderFailure['category'], advice: string): Meaning {
  return { category, advice, status: null, retryAfterMs: null }
}

/** The dates of HTTP begin with a weekday; `Date.parse` alone takes `10, 20` for a day of October. */
const httpDate = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /
const decimal = /^\d+(\.\d+)?$/

/**
 * Returns `Retry-After` in seconds or as a date, or OpenAI's `retry-after-ms`, in milliseconds; null when absent or
 * invalid.
 */
export function retryAfterMs(headers: Record<string, string>): number | null {
  const ms = headers['retry-after-ms']?.trim() ?? ''
  if (decimal.test(ms)) return clampWait(Number(ms))
  const text = headers['retry-after']?.trim() ?? ''
  if (decimal.test(text)) return clampWait(Number(text) * 1000)
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : clampWait(date - Date.now())
}

function clampWait(ms: number): number {
  return Math.round(Math.min(Math.max(ms, 0), longestRetryMs))
}
