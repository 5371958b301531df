import { redactText } from '@/lib/kernel/redaction/redact-text'
import { cleanText } from '@/lib/words/clean-text'

/**
 * Thrown for everything that goes wrong with a sign-in. The message is one or two sentences for people, with cause and cure, and
 * has no text of the issuer. `log` has what the issuer or the network said, without secrets, for the server log alone.
 */
export class SignInError extends Error {
  constructor(
    readonly code: SignInErrorCode,
    message: string,
    readonly log = '',
  ) {
    super(message)
    this.name = 'SignInError'
  }
}

/**
 * - `unreachable`: no usable answer now; a later try may succeed.
 * - `blocked`: an address that may not be reached, or a scheme that is not allowed.
 * - `unreadable`: a document or an answer that is not what the protocol promises.
 * - `no-sign-in`: the server or its issuer does not say how to sign in.
 * - `no-pkce`: the issuer does not offer PKCE with S256.
 * - `issuer`: the answer, or the document, is of another issuer than the one expected.
 * - `resource`: the metadata is of another server.
 * - `register-a-client`: an admin has to register a client at the issuer and enter it.
 * - `client-refused`: the issuer does not know the client (any more).
 * - `next-way`: as `client-refused`, but the next sign-in identifies the client in another way: begin again.
 * - `declined`: the person, or the issuer, said no.
 * - `refused`: the issuer refused the code, the refresh or the client's credentials.
 * - `state`: the callback is not the answer to this sign-in.
 */
export type SignInErrorCode =
  | 'unreachable'
  | 'blocked'
  | 'unreadable'
  | 'no-sign-in'
  | 'no-pkce'
  | 'issuer'
  | 'resource'
  | 'register-a-client'
  | 'client-refused'
  | 'next-way'
  | 'declined'
  | 'refused'
  | 'state'

/** Errors of the token endpoint after which the same request is refused again. */
const final: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
  'access_denied',
])
const ofClient: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

/** Returns whether an error says that the issuer does not take the client. */
export async function isClientRefused(error: unknown): Promise<boolean> {
  const { OAuthError } = await import('@modelcontextprotocol/client')
  return error instanceof OAuthError && isClientError(error.code)
}

export function isClientError(code: string): boolean {
  return ofClient.has(code)
}

/** Returns what an error of the kept client means, in words without the issuer's own. `secrets` are taken out of the log. */
export async function toSignInError(
  error: unknown,
  secrets: readonly (string | null)[] = [],
): Promise<SignInError> {
  if (error instanceof SignInError) return error
  const sdk = await import('@modelcontextprotocol/client')
  const log = logText(error, secrets)
  if (error instanceof sdk.IssuerMismatchError) return issuerMismatch(log)
  if (error instanceof sdk.InsecureTokenEndpointError) {
    const words =
      'The authorization server takes tokens at an address without https, so nothing was sent. Its operator has to correct that.'
    return new SignInError('blocked', words, log)
  }
  if (error instanceof sdk.OAuthError) return serverSaid(error.code, log)
  if (error instanceof Error && /^HTTP 5\d\d/.test(error.message)) return unavailable(log)
  const words =
    'The authorization server answered with something that the protocol does not know. Ask its operator.'
  return new SignInError('unreadable', words, log)
}

function serverSaid(code: string, log: string): SignInError {
  if (final.has(code)) {
    const words = 'The authorization server refused this sign-in. Sign in again.'
    return new SignInError('refused', words, log)
  }
  if (ofClient.has(code)) {
    const words =
      'The authorization server does not take this installation as a client. An admin can check the client ID and secret of this server.'
    return new SignInError('client-refused', words, log)
  }
  return unavailable(log)
}

function unavailable(log: string): SignInError {
  const words = 'The authorization server could not answer this request. Try again later.'
  return new SignInError('unreachable', words, log)
}

/** Returns the error for an answer of another issuer than the one that was asked. */
export function issuerMismatch(log: string): SignInError {
  const words =
    'The answer is of another authorization server than the one that was asked, so it was not used. Begin the sign-in again; if it happens again, ask the operator of the server.'
  return new SignInError('issuer', words, log)
}

const mostLogged = 500

/** Returns a text for the log, without the secrets of the request. A body that could not be read is left out: it may hold tokens. */
export function logText(error: unknown, secrets: readonly (string | null)[]): string {
  const code = error instanceof Error && 'code' in error ? `${String(error.code)}: ` : ''
  const [text = ''] = (error instanceof Error ? error.message : String(error)).split(' Raw body:')
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length > 3)
  const safe = known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), code + text)
  return redactText(cleanText(safe).slice(0, 8 * mostLogged), { hashes: true }).slice(0, mostLogged)
}
