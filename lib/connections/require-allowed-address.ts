import { setTimeout as sleep } from 'node:timers/promises'
import { EgressError } from '../egress/egress-error'
import { requireReachable } from '../egress/require-reachable'
import { ValidationError } from '../errors'
import { wireAddress } from '../protocol/wire-address'
import type { ConnectionFacts } from './schemas'

const longestWaitMs = 3_000

type Address = Pick<ConnectionFacts, 'wire' | 'baseUrl' | 'privateAddressAllowed'>

/**
 * Refuses an address in a private network that nobody allowed, and one that nothing may ever be sent to, while it is
 * being typed. A name that does not resolve now passes: each connection is checked again when it is made.
 * Throws ValidationError for the field that can put it right.
 */
export async function requireAllowedAddress(address: Address): Promise<void> {
  const { wire, baseUrl, privateAddressAllowed } = address
  const url = baseUrl ?? wireAddress[wire]
  if (wire === 'demo' || url === null) return
  const waited = new AbortController()
  try {
    await Promise.race([
      requireReachable(url, { privateAllowed: privateAddressAllowed }),
      sleep(longestWaitMs, undefined, { signal: waited.signal, ref: false }),
    ])
  } catch (error) {
    if (error instanceof EgressError) throw refusalOf(error)
  } finally {
    waited.abort()
  }
}

function refusalOf({ refused, message }: EgressError): ValidationError {
  const where = { private: 'in a private network', loopback: 'on this machine itself' }
  if (refused !== 'private' && refused !== 'loopback') {
    return new ValidationError({ baseUrl: message })
  }
  return new ValidationError({
    privateAddressAllowed: `This address is ${where[refused]}. If that is meant, allow it: tick “Allow this address in a private network”, or give --allow-private.`,
  })
}
