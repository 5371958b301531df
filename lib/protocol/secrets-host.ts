import type { ModelTarget } from './model-target'
import { wireAddress } from './wire-address'

type Address = { wire: ModelTarget['wire']; baseUrl: string | null }

/**
 * Where the secrets of a connection may go: scheme, host and port of its address, or its wire's own. Null = nowhere
 * (the demo). What was entered for one is never sent to another.
 */
export function secretsHost(address: Address): string | null {
  return urlOf(address)?.origin ?? null
}

/** The host alone, in small letters: what a trust zone is about. Null = nothing is sent anywhere. */
export function connectionHost(address: Address): string | null {
  return urlOf(address)?.hostname ?? null
}

function urlOf({ wire, baseUrl }: Address): URL | null {
  const url = wire === 'demo' ? null : (baseUrl ?? wireAddress[wire])
  return url === null ? null : new URL(url)
}
