import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FetchLike } from '@modelcontextprotocol/client'
import { scopesIn } from './challenge'
import {
  clientAuthentication,
  clientIdentity,
  clientInformation,
  clientRefused,
} from './client-identity'
import { discover } from './discover'
import { requireAllowedScheme } from './guarded-documents'
import {
  isClientError,
  isClientRefused,
  issuerMismatch,
  SignInError,
  toSignInError,
} from './sign-in-error'
import type { Challenge, ClientIdentity, Discovered, Pending, SignInSite, Tokens } from './site'
import { metadataOfIssuer, toTokens } from './token-requests'

type Beginning = {
  /** Scopes to ask for instead of the least ones, separated by spaces: those granted before and those of a challenge. */
  scope?: string | null
  challenge?: Challenge | null
}

/**
 * Begins a sign-in: finds the issuer, identifies this installation there, and returns the address that the person opens. That
 * address is https, and its host is to be named before it is opened.
 */
export async function beginSignIn(
  site: SignInSite,
  fetch: FetchLike,
  { scope: wanted = null, challenge = null }: Beginning = {},
): Promise<{ authorizationUrl: URL; pending: Pending }> {
  const sdk = await import('@modelcontextprotocol/client')
  const found = await discover(site, fetch, challenge)
  const { issuer, resource, metadata } = found
  requirePkce(found)
  requireAllowedScheme(new URL(metadata.authorization_endpoint), site.privateAllowed)
  const scope = scopeToAskFor(wanted ?? challenge?.scope ?? null, found)
  const identity = pendingIdentity(await clientIdentity(site, fetch, found))
  const state = randomBytes(32).toString('base64url')
  const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(issuer, {
    metadata,
    clientInformation: clientInformation(identity),
    redirectUrl: site.redirectUri,
    state,
    resource,
    ...(scope !== null && { scope }),
  })
  const pending: Pending = {
    state,
    codeVerifier,
    issuer,
    resource,
    redirectUri: site.redirectUri,
    scope,
    isIssuerNamed: metadata.authorization_response_iss_parameter_supported === true,
    identity,
  }
  return { authorizationUrl, pending }
}

function pendingIdentity({ clientId, clientSecret, way, authMethod }: ClientIdentity) {
  return { clientId, clientSecret, way, ...(authMethod !== undefined && { authMethod }) }
}

/** Refuses an issuer without PKCE. The kept client accepts one that says nothing about it, which MCP has a client refuse. */
function requirePkce({ metadata }: Discovered): void {
  if (!metadata.response_types_supported.includes('code')) {
    const words =
      'The authorization server offers no sign-in in a browser. Use a token as the header Authorization.'
    throw new SignInError('no-sign-in', words)
  }
  if (metadata.code_challenge_methods_supported?.includes('S256') === true) return
  const words =
    'The authorization server does not offer PKCE with S256, so a sign-in would not be safe and was not begun. Ask its operator.'
  throw new SignInError('no-pkce', words)
}

/** Returns the least scopes; with `offline_access` where the issuer knows it, because without it some give no refresh token. */
function scopeToAskFor(wanted: string | null, { scopes, metadata }: Discovered): string | null {
  const least = wanted === null ? scopes : scopesIn(wanted)
  if (least.length === 0) return null
  const offline = metadata.scopes_supported?.includes('offline_access') ? ['offline_access'] : []
  return [...new Set([...least, ...offline])].join(' ')
}

/**
 * Ends a sign-in with the address to which the issuer sent the browser back, and returns the tokens. The caller has compared
 * the session that began it. After SignInError `next-way` a new sign-in identifies this installation in another way.
 */
export async function finishSignIn(
  site: SignInSite,
  fetch: FetchLike,
  pending: Pending,
  callbackUrl: URL,
): Promise<{ tokens: Tokens; issuer: string; grantedScope: string[] }> {
  const sdk = await import('@modelcontextprotocol/client')
  const { issuer, identity, codeVerifier, redirectUri } = pending
  const code = await codeIn(callbackUrl.searchParams, pending, site)
  const secrets = [code, codeVerifier, identity.clientSecret]
  const metadata = await metadataOfIssuer(issuer, fetch)
  try {
    const answer = await sdk.exchangeAuthorization(issuer, {
      metadata,
      clientInformation: clientInformation(identity),
      authorizationCode: code,
      // Compared before with what the issuer said when the sign-in began.
      iss: issuer,
      codeVerifier,
      redirectUri,
      resource: pending.resource,
      addClientAuthentication: await clientAuthentication(
        identity,
        metadata.token_endpoint_auth_methods_supported ?? [],
      ),
      fetchFn: fetch,
    })
    const tokens = toTokens(answer, { scope: pending.scope, refreshToken: null })
    return { tokens, issuer, grantedScope: scopesIn(tokens.scope ?? '') }
  } catch (error) {
    const problem = await toSignInError(error, secrets)
    if (!(await isClientRefused(error))) throw problem
    throw await clientRefused(site, issuer, identity, problem.log)
  }
}

/** Returns the code of a callback. Everything else in it counts only when state and issuer are right. */
async function codeIn(
  parameters: URLSearchParams,
  pending: Pending,
  site: SignInSite,
): Promise<string> {
  const isRepeated = ['state', 'iss', 'code', 'error'].some(
    (name) => parameters.getAll(name).length > 1,
  )
  if (isRepeated || !isSame(parameters.get('state') ?? '', pending.state)) {
    const words = 'This link does not belong to the sign-in that was begun. Connect again.'
    throw new SignInError('state', words)
  }
  const iss = parameters.get('iss')
  if (iss === null ? pending.isIssuerNamed : iss !== pending.issuer) {
    throw issuerMismatch(`Expected ${pending.issuer}, received ${iss?.slice(0, 300) ?? 'none'}`)
  }
  const error = parameters.get('error')
  const code = parameters.get('code')
  if (error === null && code) return code
  const log = `${error ?? 'no code'}: ${parameters.get('error_description') ?? ''}`.slice(0, 300)
  if (error !== null && isClientError(error)) {
    throw await clientRefused(site, pending.issuer, pending.identity, log)
  }
  throw callbackError(error, log)
}

function callbackError(error: string | null, log: string): SignInError {
  if (error === 'access_denied') {
    const words =
      'The sign-in was declined, so nothing was connected. Connect again to change that.'
    return new SignInError('declined', words, log)
  }
  if (error === 'temporarily_unavailable' || error === 'server_error') {
    const words = 'The authorization server could not answer this request. Try again later.'
    return new SignInError('unreachable', words, log)
  }
  const words =
    'The authorization server refused this sign-in, so nothing was connected. Connect again, or ask its operator.'
  return new SignInError('refused', words, log)
}

function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
