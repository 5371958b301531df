import type { FetchLike, OAuthTokens } from '@modelcontextprotocol/client'
import { scopesIn } from './challenge'
import {
  clientAuthentication,
  clientInformation,
  clientRefused,
  enteredIdentity,
} from './client-identity'
import { discover, issuerMetadata } from './discover'
import { requireAllowedScheme } from './guarded-documents'
import { isClientRefused, issuerMismatch, SignInError, toSignInError } from './sign-in-error'
import type { Challenge, ClientIdentity, IssuerMetadata, SignInSite, Tokens } from './site'

/** Longer lifetimes are no promise that anybody relies on. */
const longestLifeSeconds = 10 * 365 * 24 * 60 * 60

/** One account at an issuer. */
type Account = { issuer: string; identity: ClientIdentity; resource: string; tokens: Tokens }

/**
 * Refreshes the tokens of an account. The refresh token may be a new one: the old one is not to be used any more. SignInError
 * `refused`, `client-refused`, `next-way` and `issuer` are final: the account has to sign in again. After any other the tokens
 * stay as they were, as far as is known.
 */
export async function refreshTokens(
  site: SignInSite,
  fetch: FetchLike,
  { issuer, identity, resource, tokens }: Account,
): Promise<Tokens> {
  const { refreshToken, scope } = tokens
  if (refreshToken === null) {
    const words =
      'The authorization server gave no token to refresh this account with. Sign in again.'
    throw new SignInError('refused', words)
  }
  const sdk = await import('@modelcontextprotocol/client')
  const metadata = await metadataOfIssuer(issuer, fetch)
  try {
    const answer = await sdk.refreshAuthorization(issuer, {
      metadata,
      clientInformation: clientInformation(identity),
      refreshToken,
      resource,
      addClientAuthentication: await clientAuthentication(identity, methodsOf(metadata)),
      fetchFn: fetch,
    })
    return toTokens(answer, { scope, refreshToken })
  } catch (error) {
    const problem = await toSignInError(error, [refreshToken, identity.clientSecret])
    if (!(await isClientRefused(error))) throw problem
    // The issuer may only have failed to read the document now, so a refresh does not give up that way.
    if (identity.way === 'metadata-document') throw problem
    throw await clientRefused(site, issuer, identity, problem.log)
  }
}

/** Gets a token for this installation itself, with the client ID and secret that an admin entered. No person takes part. */
export async function clientCredentials(
  site: SignInSite,
  fetch: FetchLike,
  { scope = null, challenge = null }: { scope?: string | null; challenge?: Challenge | null } = {},
): Promise<{ tokens: Tokens; issuer: string; resource: string }> {
  const { entered } = site
  if (!entered?.clientSecret) {
    const words =
      'A sign-in without a person needs a client ID and a secret. An admin can enter them for this server.'
    throw new SignInError('register-a-client', words)
  }
  const sdk = await import('@modelcontextprotocol/client')
  const { issuer, resource, scopes, metadata } = await discover(site, fetch, challenge)
  const wanted = scope ?? challenge?.scope ?? (scopes.join(' ') || null)
  const identity = await enteredIdentity(site, entered, issuer)
  const provider = new sdk.ClientCredentialsProvider({
    clientId: entered.clientId,
    clientSecret: entered.clientSecret,
    clientName: site.clientName,
    expectedIssuer: issuer,
  })
  const addClientAuthentication = await clientAuthentication(identity, methodsOf(metadata))
  try {
    const answer = await sdk.fetchToken(
      Object.assign(provider, { addClientAuthentication }),
      issuer,
      {
        metadata,
        resource,
        ...(wanted !== null && { scope: wanted }),
        fetchFn: fetch,
      },
    )
    return { tokens: toTokens(answer, { scope: wanted, refreshToken: null }), issuer, resource }
  } catch (error) {
    const problem = await toSignInError(error, [entered.clientSecret])
    if (!(await isClientRefused(error))) throw problem
    throw await clientRefused(site, issuer, identity, problem.log)
  }
}

/** Revokes the tokens of an account at its issuer. `cannot`: the issuer offers no revocation, or did not confirm it. */
export async function revoke(
  { privateAllowed }: Pick<SignInSite, 'privateAllowed'>,
  fetch: FetchLike,
  { issuer, identity, tokens }: Omit<Account, 'resource'>,
): Promise<'revoked' | 'cannot'> {
  try {
    const metadata = await metadataOfIssuer(issuer, fetch)
    const endpoint = metadata.revocation_endpoint
    if (endpoint === undefined) return 'cannot'
    requireAllowedScheme(new URL(endpoint), privateAllowed)
    const methods = metadata.revocation_endpoint_auth_methods_supported ?? methodsOf(metadata)
    const authenticate = await clientAuthentication(identity, methods)
    const send = async (token: string, hint: string) => {
      const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
      const body = new URLSearchParams({ token, token_type_hint: hint })
      await authenticate(headers, body, endpoint, metadata)
      return (await fetch(endpoint, { method: 'POST', headers, body })).ok
    }
    const { accessToken, refreshToken } = tokens
    // The refresh token first: with it the issuer ends the whole grant.
    const isEnded = refreshToken === null || (await send(refreshToken, 'refresh_token'))
    const isAccessEnded = await send(accessToken, 'access_token')
    return isEnded && (isAccessEnded || refreshToken !== null) ? 'revoked' : 'cannot'
  } catch {
    return 'cannot'
  }
}

/** Reads the metadata of the issuer that an account belongs to. Throws SignInError when another issuer is there now. */
export async function metadataOfIssuer(issuer: string, fetch: FetchLike): Promise<IssuerMetadata> {
  const metadata = await issuerMetadata(issuer, fetch)
  if (metadata.issuer === issuer) return metadata
  throw issuerMismatch(`Expected ${issuer}, received ${metadata.issuer.slice(0, 300)}`)
}

function methodsOf(metadata: IssuerMetadata): string[] {
  return metadata.token_endpoint_auth_methods_supported ?? []
}

/** Returns the tokens of an answer. What it leaves out is as before: the scope that was asked for, and the refresh token. */
export function toTokens(
  answer: OAuthTokens,
  before: Pick<Tokens, 'scope' | 'refreshToken'>,
): Tokens {
  const { access_token: accessToken, token_type: type, expires_in: lifeSeconds = 0 } = answer
  if (type.toLowerCase() !== 'bearer' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    const words =
      'The authorization server gave a token of a kind that cannot be used here: only bearer tokens can. Ask its operator.'
    throw new SignInError('unreadable', words, type.slice(0, 100))
  }
  const life = Math.min(lifeSeconds, longestLifeSeconds)
  return {
    accessToken,
    refreshToken: answer.refresh_token ?? before.refreshToken,
    scope: answer.scope === undefined ? before.scope : scopesIn(answer.scope).join(' '),
    expiresAt: life > 0 ? new Date(Date.now() + life * 1000) : null,
    tokenType: 'Bearer',
  }
}
