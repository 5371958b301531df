import { sign } from 'node:crypto'
import { defaultScope } from '@/lib/domains/connections/shared/connection-settings'
import {
  authorityAddress,
  type ConnectionAddress,
  readServiceAccountKey,
  type ServiceAccountKey,
} from '@/lib/domains/connections/shared/wire-address'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import type { ProviderOptions } from '@/lib/engines/providers/provider'

/** A request for a token: one POST of a form. */
export type TokenExchange = {
  url: string
  form: Record<string, string>
  /** Issuer of the token, and the advice for an admin when it issues none. */
  issuer: string
  advice: string
}

/** Returns how the key of a connection is exchanged for a token. Throws WireFailure when something is missing. */
export function tokenExchange(
  wire: ConnectionAddress['wire'],
  options: ProviderOptions,
): TokenExchange {
  const authority = authorityAddress({ wire, settings: options.settings })
  return wire === 'gemini' ? ofGoogle(authority, options) : ofEntra(authority, options)
}

const storeSecret =
  'Check the tenant id and the client id, and store a new client secret as the key.'

/** Returns the exchange of Microsoft Entra ID, which gets the client secret itself. */
function ofEntra(
  authority: string | null,
  { settings: { tenantId, clientId, scope }, apiKey }: ProviderOptions,
): TokenExchange {
  if (!authority || !tenantId || !clientId || apiKey === null) {
    throw new WireFailure(
      'auth',
      `This connection has no client secret, so it cannot sign in with Microsoft Entra ID. ${storeSecret}`,
      null,
    )
  }
  return {
    url: `${authority}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: apiKey,
      scope: scope ?? defaultScope,
    },
    issuer: 'Microsoft Entra ID',
    advice: storeSecret,
  }
}

const storeKeyFile =
  'Check the clock of this server, and store a new JSON key file of the service account as the key.'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const googleScope = 'https://www.googleapis.com/auth/cloud-platform'
const assertionSeconds = 3_600

/**
 * Returns the exchange of Google, which gets a statement signed with the private key; the key itself is not sent. The
 * address is the connection's own, never one from a key file.
 */
function ofGoogle(authority: string | null, { apiKey }: ProviderOptions): TokenExchange {
  const file = readServiceAccountKey(apiKey ?? '')
  if (!authority || !file) {
    throw new WireFailure(
      'auth',
      `This connection has no key file of a service account, so it cannot sign in with Google. ${storeKeyFile}`,
      null,
    )
  }
  const url = `${authority}/token`
  return {
    url,
    form: { grant_type: jwtBearer, assertion: signedAssertion(file, url) },
    issuer: 'Google',
    advice: storeKeyFile,
  }
}

/** Says for whom it is, so that whoever gets it cannot use it elsewhere. */
function signedAssertion(file: ServiceAccountKey, audience: string): string {
  const issuedAt = Math.floor(Date.now() / 1000)
  const kid = file.private_key_id
  const claims = {
    iss: file.client_email,
    scope: googleScope,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + assertionSeconds,
  }
  const text = [{ alg: 'RS256', typ: 'JWT', ...(kid && { kid }) }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  try {
    const signature = sign('sha256', Buffer.from(text), file.private_key)
    return `${text}.${signature.toString('base64url')}`
  } catch {
    throw new WireFailure(
      'auth',
      `The private key of this connection cannot be read. ${storeKeyFile}`,
      null,
    )
  }
}
