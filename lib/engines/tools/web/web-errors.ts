import { EgressError } from '@/lib/engines/egress/egress-connector'
import { ToolError } from '@/lib/protocol/tool'
import { countOf, formatDuration } from '@/lib/words/format'
import { TooLongError, UndecodableError } from './read-decoded'
import { headBytes } from './web-request'

/** The broken part: a host without a connection, the requested place, or neither. */
export type Fault = 'host' | 'place' | null

/** Error of a request, and the part that it shows to be broken. */
export type WebFailure = { error: ToolError; fault: Fault }

const unreachable: Record<string, string> = {
  ENOTFOUND: 'No host of this name was found. Check the address.',
  EAI_AGAIN: 'The name of this host could not be looked up. Try again later.',
  ECONNREFUSED: 'Nothing answers at this address. Try another one.',
  UND_ERR_CONNECT_TIMEOUT: 'The host did not answer in time. Try another address.',
  ETIMEDOUT: 'The host did not answer in time. Try another address.',
  EHOSTUNREACH: 'No network leads to this host. Try another address.',
  ENETUNREACH: 'No network leads to this host. Try another address.',
}

/** Time that a request and its redirects may take together; `signal` ends them. */
export type TimeLimit = { ms: number; signal: AbortSignal }

/** Starts the time of a request. */
export function startTimeLimit(ms: number): TimeLimit {
  return { ms, signal: AbortSignal.timeout(ms) }
}

/** Returns the failure of a request for the model; null = it is none of a request, such as a stopped run. */
export function webFailure(error: unknown, limit: TimeLimit): WebFailure | null {
  if (error instanceof ToolError) return { error, fault: null }
  if (error instanceof TooLongError)
    return { error: tooLarge('The answer is', error.most), fault: null }
  if (error instanceof UndecodableError) {
    return {
      error: new ToolError('unreadable', 'The answer is compressed in a way that cannot be read.'),
      fault: null,
    }
  }
  if (limit.signal.aborted) {
    return {
      error: new ToolError(
        'too-slow',
        `The host took longer than ${timeWords(limit.ms)}. Try another address.`,
      ),
      fault: 'place',
    }
  }
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (cause instanceof EgressError) return { error: blocked(), fault: null }
  const known = cause instanceof Error && 'code' in cause && cause.code !== undefined
  const isNoHttp = cause instanceof Error && cause.name === 'HTTPParserError'
  const code = known ? String(cause.code) : isNoHttp ? 'HPE_NO_HTTP' : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { error: tooLarge('The headers of the answer are', headBytes), fault: null }
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS/.test(code)) {
    return {
      error: new ToolError('certificate', 'The certificate of this host is not valid for it.'),
      fault: 'host',
    }
  }
  if (!/^(E[A-Z_]+|UND_ERR_\w+|HPE_\w+)$/.test(code)) return null
  const isUnreached = Object.hasOwn(unreachable, code)
  const words =
    unreachable[code] ?? 'The host broke the connection off. Try again, or try another address.'
  return { error: new ToolError('unreachable', words), fault: isUnreached ? 'host' : 'place' }
}

function tooLarge(subject: string, most: number): ToolError {
  const words = `${subject} larger than ${sizeWords(most)}. Ask for another address.`
  return new ToolError('too-large', words)
}

/** Returns a time limit as "15 seconds", and one below a second as "200 ms". */
export function timeWords(ms: number): string {
  return ms < 1_000 ? formatDuration(ms) : countOf(Math.floor(ms / 1_000), 'second')
}

function sizeWords(bytes: number): string {
  const kibibytes = Math.floor(bytes / 1024)
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${Math.floor(kibibytes / 1024)} MiB`
}

function blocked(): ToolError {
  return new ToolError(
    'blocked',
    'This host leads to a private or reserved address, which is blocked. An admin can allow private addresses on the host or site.',
  )
}
