import type { TrustZone } from '@/lib/protocol/model/model-target'
import { ZoneConfirmation, type ZonedAddress } from './shape'
import { connectionHost } from './shared/wire-address'

/** The zones for data that stays in one's own networks. */
const own: ReadonlySet<TrustZone> = new Set(['local', 'private'])

/** Returns the host of an address whose trust zone keeps data in one's own network; null = its zone is external. */
export function ownHost({ trustZone, ...address }: ZonedAddress): string | null {
  return own.has(trustZone) ? connectionHost(address) : null
}

/** Returns the stored confirmation if it is one of this host and zone. `stored`: the column of a connection. */
export function confirmationFor(facts: ZonedAddress, stored: unknown): ZoneConfirmation | null {
  const found = ZoneConfirmation.safeParse(stored).data
  const holds = found?.host === connectionHost(facts) && found?.trustZone === facts.trustZone
  return found && holds ? found : null
}

/** Returns whether a connection may reach no public address: its zone is one's own, and nobody confirmed its host. */
export function staysInside(facts: ZonedAddress, stored: unknown): boolean {
  return ownHost(facts) !== null && confirmationFor(facts, stored) === null
}
