import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EgressError } from './egress-error'
import { type EgressRule, requireAllowedAddresses } from './require-allowed-addresses'

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

/**
 * Checks where an address leads at this moment: its scheme, then every IP address its host has. Throws EgressError
 * when one of them may not be reached, and Node's error with its `code` when the host cannot be resolved. For saying
 * no early; what is sent goes through `egressConnector`, which checks what it connects to.
 */
export async function requireReachable(address: string | URL, rule: EgressRule): Promise<void> {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError(
      'scheme',
      'Only addresses that start with http:// or https:// are allowed.',
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return requireAllowedAddresses([host], rule)
  const found = await lookup(host, { all: true })
  requireAllowedAddresses(
    found.map(({ address }) => address),
    rule,
  )
}
