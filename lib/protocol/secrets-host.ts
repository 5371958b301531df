import { signsWithKeyFile } from './service-account-key'
import { authorityAddress, type ConnectionAddress, wireAddress } from './wire-address'

/**
 * Where the secrets of a connection may go: scheme, host and port of its address, or its wire's own, and of the place
 * where its key becomes a token. Null = nowhere (the demo). What was entered for one is never sent to another.
 */
export function secretsHost(address: ConnectionAddress): string | null {
  const origin = urlOf(address)?.origin ?? null
  // A key that only ever signs is not to be sent as it is, not even to the same host.
  if (origin !== null && sendsBearer(address)) return `${origin} (as a bearer token)`
  const authority = authorityAddress(address)
  if (origin === null || authority === null || !URL.canParse(authority)) return origin
  const both = `${origin} and ${new URL(authority).origin}`
  return signsWithKeyFile(address.wire, address.settings) ? `${both} (as a signature)` : both
}

function sendsBearer({ wire, settings }: ConnectionAddress): boolean {
  return wire === 'bedrock' && settings.authentication === 'bearer'
}

/** The host alone, in small letters: what a trust zone is about. Null = nothing is sent anywhere. */
export function connectionHost(address: ConnectionAddress): string | null {
  return urlOf(address)?.hostname ?? null
}

function urlOf(address: ConnectionAddress): URL | null {
  const url = address.wire === 'demo' ? null : (address.baseUrl ?? wireAddress(address))
  return url === null ? null : new URL(url)
}
