import { defaultScope } from '@/lib/protocol/connection-settings'
import { authorityAddress, type ConnectionAddress } from '@/lib/protocol/wire-address'
import type { ProviderOptions } from './provider'
import { WireFailure } from './provider-error'

/** A request for a token: one POST of a form. */
export type TokenExchange = {
  url: string
  form: Record<string, string>
  /** Who issues the token, and what an admin can change when it does not. */
  issuer: string
  advice: string
}

/** What the key of a connection is exchanged for a token with. Throws WireFailure when something is missing. */
export function tokenExchange(
  wire: ConnectionAddress['wire'],
  options: ProviderOptions,
): TokenExchange {
  return ofEntra(authorityAddress({ wire, settings: options.settings }), options)
}

const storeSecret =
  'Check the tenant id and the client id, and store a new client secret as the key.'

/** Microsoft Entra ID: the client secret itself is sent. */
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
