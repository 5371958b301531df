import type { AuthorizationServerMetadata, FetchLike } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { scopesIn } from './challenge'
import { SignInError, toSignInError } from './sign-in-error'
import type { Challenge, Discovered, IssuerMetadata, SignInSite } from './site'

const Revocation = z
  .object({
    revocation_endpoint: z.string().optional().catch(undefined),
    revocation_endpoint_auth_methods_supported: z.array(z.string()).optional().catch(undefined),
  })
  .catch({})

type Resource = {
  resource: string
  scopes: string[]
  /** The authorization servers, as the metadata names them. */
  issuerAddresses: readonly string[]
}

/** Maximum authorization servers that are tried in one sign-in. Each may use up the time limit of a request. */
const mostIssuers = 3

/**
 * Finds out at which issuer a server's accounts are. Reads the documents anew each time. The kept client's
 * `discoverOAuthServerInfo` goes on without the metadata of the server when that cannot be read; here only its absence counts
 * as absence, so that a broken document does not lead to another issuer.
 */
export async function discover(
  site: Pick<SignInSite, 'serverUrl'>,
  fetch: FetchLike,
  challenge: Challenge | null = null,
): Promise<Discovered> {
  const { resource, scopes, issuerAddresses } = await discoverResource(site, fetch, challenge)
  const metadata = await firstMetadata(issuerAddresses.slice(0, mostIssuers), fetch)
  return { issuer: metadata.issuer, resource, scopes, metadata }
}

/**
 * Returns the metadata of the first issuer that has some. Only an issuer that does not answer or has no metadata leads to the
 * next one: a blocked address or a document of another issuer is an attack or a mistake. Throws the
 * error of the first issuer if all are absent.
 */
async function firstMetadata(
  [address, ...others]: readonly string[],
  fetch: FetchLike,
): Promise<IssuerMetadata> {
  if (address === undefined) throw missingDocument()
  try {
    return await issuerMetadata(address, fetch)
  } catch (error) {
    if (!isAbsentIssuer(error) || others.length === 0) throw error
    return firstMetadata(others, fetch).catch((later: unknown) => {
      throw isAbsentIssuer(later) ? error : later
    })
  }
}

function isAbsentIssuer(error: unknown): boolean {
  return (
    error instanceof SignInError && (error.code === 'unreachable' || error.code === 'no-sign-in')
  )
}

async function discoverResource(
  { serverUrl }: Pick<SignInSite, 'serverUrl'>,
  fetch: FetchLike,
  challenge: Challenge | null,
): Promise<Resource> {
  const sdk = await import('@modelcontextprotocol/client')
  const own = sdk.resourceUrlFromServerUrl(serverUrl)
  const root = new URL('/', own).href
  const address = challenge?.resourceMetadataUrl ?? null
  let status = 0
  const watched: FetchLike = async (url, init) => {
    const answer = await fetch(url, init)
    status = answer.status
    return answer
  }
  try {
    const found = await sdk.discoverOAuthProtectedResourceMetadata(
      serverUrl,
      address === null ? {} : { resourceMetadataUrl: address },
      watched,
    )
    const isOfServer = sdk.checkResourceAllowed({
      requestedResource: own,
      configuredResource: found.resource,
    })
    if (!isOfServer) throw otherResource(found.resource)
    return {
      resource: found.resource,
      scopes: scopesIn((found.scopes_supported ?? []).join(' ')),
      issuerAddresses: found.authorization_servers?.length ? found.authorization_servers : [root],
    }
  } catch (error) {
    // Servers of the revision 2025-03-26 have no such document, and are their own issuer.
    const isAbsent = !(error instanceof SignInError) && status >= 400 && status < 500
    if (!isAbsent) throw await toSignInError(error)
    if (address !== null) throw missingDocument()
    return { resource: own.href, scopes: [], issuerAddresses: [root] }
  }
}

/**
 * Reads the metadata of an issuer. Throws SignInError when the document is of another issuer; only the one `/` at the end of an
 * address without a path may differ.
 */
export async function issuerMetadata(
  issuerAddress: string,
  fetch: FetchLike,
): Promise<IssuerMetadata> {
  const sdk = await import('@modelcontextprotocol/client')
  let metadata: AuthorizationServerMetadata | undefined
  let document: unknown
  const watched: FetchLike = async (url, init) => {
    const answer = await fetch(url, init)
    if (answer.ok) document = await answer.clone().json()
    return answer
  }
  try {
    metadata = await sdk.discoverAuthorizationServerMetadata(issuerAddress, { fetchFn: watched })
  } catch (error) {
    throw await toSignInError(error)
  }
  if (metadata) return { ...metadata, ...Revocation.parse(document) }
  const words =
    'The server does not say how to sign in: its authorization server has no metadata. Use a token as the header Authorization.'
  throw new SignInError('no-sign-in', words, issuerAddress.slice(0, 300))
}

function otherResource(resource: string): SignInError {
  const words =
    'The metadata of the server is of another server, so no sign-in was begun. Check the address of the server.'
  return new SignInError('resource', words, resource.slice(0, 300))
}

function missingDocument(): SignInError {
  const words =
    'The server names a document that says how to sign in, and it is not there. Ask the operator of the server.'
  return new SignInError('no-sign-in', words)
}
