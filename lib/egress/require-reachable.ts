import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { EgressError } from './egress-error'
import { type EgressRule, requireAllowedAddresses } from './require-allowed-addresses'

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
