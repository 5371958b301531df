import { EgressError } from '@/lib/engines/egress/egress-connector'
import { ToolError } from '@/lib/protocol/tool'
import { TooLongError, UndecodableError } from './read-decoded'

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

/** Returns the failure of a request for the model; null = it is none of a request, such as a stopped run. */
export function webFailure(error: unknown, limit: AbortSignal): WebFailure | null {
  if (error instanceof ToolError) return { error, fault: null }
  if (error instanceof TooLongError) return { error: tooLarge(), fault: null }
  if (error instanceof UndecodableError) {
    return {
      error: new ToolError('unreadable', 'The answer is compressed in a way that cannot be read.'),
      fault: null,
    }
  }
  if (limit.aborted) {
    return {
      error: new ToolError(
        'too-slow',
        'The host took longer than 15 seconds. Try another address.',
      ),
      fault: 'place',
    }
  }
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (cause instanceof EgressError) return { error: blocked(), fault: null }
  const known = cause instanceof Error && 'code' in cause && cause.code !== undefined
  const isNoHttp = cause instanceof Error && cause.name === 'HTTPParserError'
  const code = known ? String(cause.code) : isNoHttp ? 'HPE_NO_HTTP' : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return { error: tooLarge(), fault: null }
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

function tooLarge(): ToolError {
  return new ToolError('too-large', 'The answer is larger than 10 MiB. Ask for another address.')
}

function blocked(): ToolError {
  return new ToolError(
    'blocked',
    'This host leads to a private or reserved address, which is blocked. An admin can allow private addresses on the host or site.',
  )
}
