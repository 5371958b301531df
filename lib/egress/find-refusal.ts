import { setTimeout as sleep } from 'node:timers/promises'
import { EgressError } from './egress-error'
import type { EgressRule } from './require-allowed-addresses'
import { requireReachable } from './require-reachable'

const longestWaitMs = 3_000

/**
 * Why an address that somebody just gave may not be reached; null = nothing speaks against it. A name that does not
 * resolve now passes: each connection is checked again when it is made.
 */
export async function findRefusal(url: string, rule: EgressRule): Promise<EgressError | null> {
  const waited = new AbortController()
  try {
    await Promise.race([
      requireReachable(url, rule),
      sleep(longestWaitMs, undefined, { signal: waited.signal, ref: false }),
    ])
  } catch (error) {
    if (error instanceof EgressError) return error
  } finally {
    waited.abort()
  }
  return null
}

/** What an admin may do about it; null = nothing, no address of that kind is ever reached. */
export function allowingWords({ refused }: EgressError): string | null {
  if (refused !== 'private' && refused !== 'loopback') return null
  const where = refused === 'private' ? 'in a private network' : 'on this machine'
  return `This address is ${where}. If that is intended, allow addresses in a private network`
}
