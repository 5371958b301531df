import type { Challenge } from './sign-in/site'
import { ServerError } from './transport/server-address'

const signIn =
  'The server asks for a sign-in (OAuth). Connect an account. Many servers also take a static token: add it as the header Authorization.'

const signInAgain = 'The server does not accept the token of this account any more. Sign in again.'

/**
 * Returns what an error of the client means, as a sentence. `known`: what the transport knows about its end. What a server
 * wrote is left out: it may hold secrets, or steer its reader.
 */
export function toServerError(error: unknown, known: ServerError | null): unknown {
  const chain = causesOf(error)
  for (const each of chain) {
    if (each instanceof ServerError) return each
  }
  if (known !== null) return known
  if (chain.some(({ name }) => name === 'UnauthorizedError')) return signInError(null, false)
  const [first] = chain
  if (!first || first.name === 'AbortError') return error
  return serverErrorOfCode(first)
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let each = error; each instanceof Error && chain.length < 8; each = each.cause) {
    chain.push(each)
    const data = 'data' in each ? each.data : null
    if (data instanceof Object && 'cause' in data && data.cause instanceof Error && !each.cause) {
      chain.push(...causesOf(data.cause))
    }
  }
  return chain
}

function serverErrorOfCode(error: Error): ServerError {
  const code = 'code' in error ? error.code : ''
  const status = statusOf(error)
  if (status === 401 || code === 'CLIENT_HTTP_AUTHENTICATION') return signInError(null, false)
  if (status === 403 || code === 'CLIENT_HTTP_FORBIDDEN') {
    const words = 'The server refused the request (403). Check the headers of this server.'
    return new ServerError('refused', words)
  }
  if (status !== null) {
    const words = `The server answered ${status}. Check its address: many end with /mcp.`
    return new ServerError('not-mcp', words)
  }
  if (code === 'REQUEST_TIMEOUT')
    return new ServerError('timed-out', 'The server did not answer in time.')
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED' || code === 'SEND_FAILED') {
    return new ServerError('ended', 'The connection to the server ended.')
  }
  if (code === 'UNSUPPORTED_RESULT_TYPE') {
    const words =
      'The server asks for something before it answers (input, a model or folders), and Toolgate gives it none of that.'
    return new ServerError('asks-back', words)
  }
  if (code === 'INVALID_RESULT') {
    const words = 'The server answered, but not with a result that the protocol knows.'
    return new ServerError('not-mcp', words)
  }
  if (typeof code === 'number')
    return new ServerError('refused', `The server refused the request (error ${code}).`)
  return new ServerError('not-mcp', 'The server does not answer as an MCP server does.')
}

/** Returns the HTTP status that an error is about. The older transport (SSE) has it as the code, beside its event. */
function statusOf(error: Error): number | null {
  if ('status' in error && typeof error.status === 'number') return error.status
  const isOfEvent = 'event' in error && 'code' in error
  return isOfEvent && typeof error.code === 'number' ? error.code : null
}

/** Returns the error of a server that wants a token, or another one than it was sent. */
export function signInError(challenge: Challenge | null, hasToken: boolean): ServerError {
  const words = hasToken ? signInAgain : signIn
  return new ServerError('sign-in', words, '', '', challenge)
}

/** Returns the error for an answer that is no message of the protocol. */
export function unreadable(): ServerError {
  const words = 'The server answered with something that is no message of the protocol.'
  return new ServerError('not-mcp', words)
}
