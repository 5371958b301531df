import type { Connection } from '../../generated/prisma/client'
import { addressOf } from '../rows/address-hash'
import { trustZoneOf } from '../rows/column-names'
import type { ConnectionFacts } from './schemas'

/** The part of a stored connection that a form changes, in the words of SPEC 1. */
export function connectionFacts(row: Connection): ConnectionFacts {
  return {
    name: row.name,
    ...addressOf(row),
    organisation: row.organisation,
    trustZone: trustZoneOf(row.trustZone),
    privateAddressAllowed: row.privateAddressAllowed,
    connectTimeoutMs: row.connectTimeoutMs,
    firstByteTimeoutMs: row.firstByteTimeoutMs,
    idleTimeoutMs: row.idleTimeoutMs,
    maxTries: row.maxTries,
  }
}
