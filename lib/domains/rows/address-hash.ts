import { createHash } from 'node:crypto'
import { z } from 'zod'
import { completeSettings } from '@/lib/domains/connections/shared/connection-settings'
import { type ConnectionAddress, secretsHost } from '@/lib/domains/connections/shared/wire-address'
import type { Connection } from '@/lib/generated/prisma/client'
import { wireOf } from './column-names'

/**
 * Returns a hash of where a connection led when a run began, so that a change is noticed. It is a hash because people
 * who may not see addresses can read journals. Null = nowhere (the demo).
 */
export function addressHash(address: ConnectionAddress): string | null {
  const host = secretsHost(address)
  return host === null ? null : createHash('sha256').update(host).digest('base64url')
}

const Settings = z.record(z.string(), z.string())

/** Returns where a stored connection leads, with its settings in the order of their descriptors. */
export function addressOf(
  row: Pick<Connection, 'wire' | 'baseUrl' | 'settings'>,
): ConnectionAddress {
  const wire = wireOf(row.wire)
  return {
    wire,
    baseUrl: row.baseUrl,
    settings: completeSettings(wire, Settings.parse(row.settings)),
  }
}
