import { EgressError } from '@/lib/engines/egress/egress-connector'
import { retryAfterMs, rootOf } from '@/lib/engines/providers/failures/classify-failure'
import {
  checkAddress,
  checkWire,
  testConnection,
} from '@/lib/engines/providers/failures/connection-advice'
import { httpMeaning } from '@/lib/engines/providers/failures/http-meaning'
import {
  networkCode,
  networkMeaning,
  noHttps,
} from '@/lib/engines/providers/failures/network-meaning'
import { HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { defaultTimeouts, type ProviderOptions } from '@/lib/engines/providers/provider'

export type ProbeOutcome =
  | 'ok'
  | 'dns'
  | 'tls'
  | 'no-https'
  | 'refused'
  | 'timeout'
  | 'unauthorised'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'server-error'
  | 'wrong-wire'
  | 'redirect'
  | 'egress'

export type ProbeFinding = { outcome: ProbeOutcome; status: number | null; message: string }

/** Returns what the end of a request to a provider says about its connection. */
export function probeOutcome(error: unknown, options: ProviderOptions): ProbeFinding {
  const root = rootOf(error)
  if (root instanceof EgressError) return found('egress', null, root.message)
  if (root instanceof HttpFailure) return ofStatus(root)
  if (root instanceof WireFailure) {
    const outcome = root.category === 'auth' ? 'unauthorised' : 'wrong-wire'
    return found(outcome, root.status, root.advice)
  }
  return ofNetwork(root, options)
}

const found = (outcome: ProbeOutcome, status: number | null, message: string): ProbeFinding => ({
  outcome,
  status,
  message,
})

function ofStatus(failure: HttpFailure): ProbeFinding {
  const { status, body, headers } = failure
  if (status >= 300 && status < 400) return found('redirect', status, elsewhere(failure))
  if (status === 404 || status === 405) return found('not-found', status, noList(status))
  const { category, advice } = httpMeaning(status, body, retryAfterMs(headers))
  if (category === 'auth') return found('unauthorised', status, advice)
  if (category === 'forbidden' || category === 'no-credit')
    return found('forbidden', status, advice)
  if (category === 'rate-limited') return found('rate-limited', status, advice)
  if (status >= 500) return found('server-error', status, advice)
  return found('wrong-wire', status, notThisWire(status))
}

/**
 * Returns the sentence for a redirect. It names the other host, which came from the answer, so it is for admins only.
 */
function elsewhere({ status, headers }: HttpFailure): string {
  const to = headers.location ?? ''
  const host = URL.canParse(to) ? new URL(to).host.slice(0, 200) : ''
  const where = host === '' ? 'to another address' : `to ${host}`
  return `The server redirects requests ${where} (HTTP ${status}). Redirects are not followed, so that the key is sent only to its own host. If the provider is there, change the base URL.`
}

function noList(status: number): string {
  return `The server answers, but has no list of models at this address (HTTP ${status}). Most base URLs end in /v1. ${checkAddress}`
}

function notThisWire(status: number): string {
  return `The server answers, but refuses the request for its list of models (HTTP ${status}). ${checkWire}`
}

const reasons: [RegExp, ProbeOutcome][] = [
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [noHttps, 'no-https'],
  [/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/, 'tls'],
  [/^ECONNREFUSED$/, 'refused'],
  [/TIMEOUT|^ETIMEDOUT$|^EHOSTUNREACH$|^ENETUNREACH$|^ABORT_ERR$|^UND_ERR_ABORTED$/, 'timeout'],
  [/^HPE_|^UND_ERR_INVALID_ARG$|^ERR_INVALID|^LINE_TOO_LONG$/, 'wrong-wire'],
]

function ofNetwork(error: unknown, options: ProviderOptions): ProbeFinding {
  const code = networkCode(error)
  const outcome = reasons.find(([codes]) => codes.test(code))?.[1]
  const { advice } = networkMeaning(error, { ...defaultTimeouts, ...options.timeouts })
  if (outcome) return found(outcome, null, advice)
  // The connection was made and closed again without an answer.
  return found(
    'refused',
    null,
    `The server closed the connection without an answer. If the base URL begins with http://, the server may expect https://. ${testConnection}`,
  )
}
