import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientInformationMixed,
  OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { logText, SignInError, toSignInError } from './sign-in-error'
import type { ClientIdentity, Discovered, PendingIdentity, SignInSite } from './site'

/** Methods in the order in which a registration asks for them. */
const authMethods = ['client_secret_basic', 'client_secret_post', 'none']

/**
 * Returns the client that this installation is at an issuer: the one that an admin entered, its metadata document, or one that
 * is registered now and kept. Throws SignInError `register-a-client` when there is no way.
 */
export async function clientIdentity(
  site: SignInSite,
  fetch: FetchLike,
  { issuer, metadata }: Pick<Discovered, 'issuer' | 'metadata'>,
): Promise<ClientIdentity> {
  if (site.entered) return enteredIdentity(site, site.entered, issuer)
  const { metadataDocumentUrl } = site
  if (
    metadataDocumentUrl !== null &&
    takesMetadataDocument(metadata) &&
    !(await site.refusedMetadataDocument(issuer))
  ) {
    return { clientId: metadataDocumentUrl, clientSecret: null, way: 'metadata-document' }
  }
  const kept = await site.registered(issuer)
  if (kept && isUsable(kept, site.redirectUri)) return kept
  if (!metadata.registration_endpoint) throw registerAClient()
  const identity = await register(site, fetch, { issuer, metadata })
  await site.keepRegistered(issuer, identity)
  return identity
}

/** Returns the client that an admin entered. Throws SignInError when its secret is for another issuer. */
export async function enteredIdentity(
  { isForEntered }: Pick<SignInSite, 'isForEntered'>,
  entered: NonNullable<SignInSite['entered']>,
  issuer: string,
): Promise<ClientIdentity> {
  if (entered.clientSecret === null || (await isForEntered(issuer)))
    return { ...entered, way: 'entered' }
  const words =
    'The server names another authorization server than the one that its client secret was used with, so the secret was not sent. If that is intended, an admin can enter the client secret again.'
  throw new SignInError('issuer', words, issuer.slice(0, 300))
}

/** Returns whether an issuer takes a client by its document, and without a secret, which a document does not have. */
function takesMetadataDocument(metadata: AuthorizationServerMetadata): boolean {
  const isSupported = metadata.client_id_metadata_document_supported === true
  return isSupported && (metadata.token_endpoint_auth_methods_supported ?? []).includes('none')
}

function isUsable({ expiresAt, redirectUri }: ClientIdentity, now: string): boolean {
  const isExpired = expiresAt !== null && expiresAt !== undefined && expiresAt <= new Date()
  return !isExpired && (redirectUri === undefined || redirectUri === now)
}

async function register(
  { redirectUri, clientName }: SignInSite,
  fetch: FetchLike,
  { issuer, metadata }: Pick<Discovered, 'issuer' | 'metadata'>,
): Promise<ClientIdentity> {
  const sdk = await import('@modelcontextprotocol/client')
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authMethod = authMethods.find((method) => supported.includes(method))
  if (authMethod === undefined) throw registerAClient(`Methods: ${supported.join(' ')}`)
  const clientMetadata = sdk.resolveClientMetadata({
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod,
    },
    redirectUrl: redirectUri,
  })
  try {
    // No scope: the client is kept for later sign-ins, which may ask for more.
    const found = await sdk.registerClient(issuer, { metadata, clientMetadata, fetchFn: fetch })
    const expiresAtSeconds = found.client_secret_expires_at ?? 0
    return {
      clientId: found.client_id,
      clientSecret: found.client_secret ?? null,
      way: 'registered',
      authMethod: found.token_endpoint_auth_method ?? authMethod,
      expiresAt: expiresAtSeconds > 0 ? new Date(expiresAtSeconds * 1000) : null,
      redirectUri,
    }
  } catch (error) {
    if (!(error instanceof sdk.RegistrationRejectedError)) throw await toSignInError(error)
    if (error.status < 500) throw registerAClient(logText(error, []))
    const words = 'The authorization server could not register a client. Try again later.'
    throw new SignInError('unreachable', words, logText(error, []))
  }
}

function registerAClient(log = ''): SignInError {
  const words =
    'The authorization server of this server registers no clients by itself. An admin has to register a client there and enter its client ID for this server.'
  return new SignInError('register-a-client', words, log)
}

/**
 * Returns the error for an issuer that does not take the client (any more), after the next sign-in was made to use another
 * way, where there is one.
 */
export async function clientRefused(
  site: SignInSite,
  issuer: string,
  { way }: Pick<ClientIdentity, 'way'>,
  log: string,
): Promise<SignInError> {
  if (way === 'entered') {
    const words =
      'The authorization server does not take the client ID and secret that were entered for this server. An admin can correct them.'
    return new SignInError('client-refused', words, log)
  }
  if (way === 'registered') {
    await site.forgetRegistered(issuer)
    const words =
      'The authorization server does not know this installation any more. Connect again: it is registered anew.'
    return new SignInError('next-way', words, log)
  }
  await site.keepRefusedMetadataDocument(issuer)
  const words =
    'The authorization server does not take this installation by its address. Connect again: it is identified in another way.'
  return new SignInError('next-way', words, log)
}

/** Returns a client as the kept client knows it. */
export function clientInformation(identity: PendingIdentity): OAuthClientInformationMixed {
  const { clientId, clientSecret, authMethod } = identity
  return {
    client_id: clientId,
    ...(clientSecret !== null && { client_secret: clientSecret }),
    ...(authMethod !== undefined && { token_endpoint_auth_method: authMethod }),
  }
}

/**
 * Returns what authenticates a client at a token or revocation endpoint. The kept client chooses the method, but writes ID and
 * secret as they are: RFC 6749, section 2.3.1, has them escaped, and some have signs that change their meaning otherwise.
 */
export async function clientAuthentication(
  identity: PendingIdentity,
  supported: readonly string[],
): Promise<NonNullable<OAuthClientProvider['addClientAuthentication']>> {
  const sdk = await import('@modelcontextprotocol/client')
  const { clientId, clientSecret } = identity
  const method = sdk.selectClientAuthMethod(clientInformation(identity), [...supported])
  return (headers, params) => {
    if (method === 'client_secret_basic' && clientSecret !== null) {
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
      return
    }
    params.set('client_id', clientId)
    if (method === 'client_secret_post' && clientSecret !== null) {
      params.set('client_secret', clientSecret)
    }
  }
}
