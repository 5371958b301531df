import { z } from 'zod'
import { addressOf } from '@/lib/domains/rows/address-hash'
import { type Wire, wireAndZone, wireAndZoneColumns } from '@/lib/domains/rows/column-names'
import { openSecret, openSecrets } from '@/lib/domains/vault/secrets'
import type { Connection } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { pick } from '@/lib/protocol/parameters/parameters'
import type { ConnectionFacts } from './schemas'
import { connectionFields } from './shape'
import type { ConnectionSettings } from './shared/connection-settings'
import { staysInside } from './zone-confirmation'

/** Data for reaching a provider. It contains the key, so it is only for lib/runs and the doctor, never for a page. */
export type OpenConnection = {
  wire: Wire
  baseUrl: string | null
  settings: ConnectionSettings
  organisation: string | null
  apiKey: string | null
  /** Further request headers, names in small letters; values are secrets, too. */
  headers: Record<string, string>
  privateAddressAllowed: boolean
  /** True: its trust zone keeps data in one's own network, and nobody confirmed a public host. */
  publicAddressRefused: boolean
  /** Milliseconds; what is left out has its default (SPEC R8). */
  timeouts: { connectMs?: number; firstByteMs?: number; idleMs?: number }
}

const Headers = z.record(z.string(), z.string())

/** Returns what an admin entered for a stored connection. */
export function connectionFacts(row: Connection): ConnectionFacts {
  // In the order of the shape, so that site files have one order, too.
  const facts = { ...row, ...wireAndZone(row), ...addressOf(row) }
  return pick(facts, connectionFields)
}

/** Returns the columns of these facts. */
export function connectionColumns(facts: ConnectionFacts) {
  return { ...facts, ...wireAndZoneColumns(facts) }
}

/** Opens a connection's secrets, whether it is enabled or not. */
export async function openConnection(tx: Tx, row: Connection): Promise<OpenConnection> {
  const facts = connectionFacts(row)
  return withSecrets(facts, {
    publicAddressRefused: staysInside(facts, row.zoneConfirmation),
    apiKey: row.secretId ? await openSecret(tx, row.secretId) : null,
    headers: await openHeaders(tx, row),
  })
}

/** Returns a connection as it is reached with these secrets and addresses. */
export function withSecrets(
  facts: ConnectionFacts,
  own: Pick<OpenConnection, 'apiKey' | 'headers' | 'publicAddressRefused'>,
): OpenConnection {
  const { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs } = facts
  return {
    ...pick(facts, ['wire', 'baseUrl', 'settings', 'organisation', 'privateAddressAllowed']),
    ...own,
    timeouts: {
      ...(connectTimeoutMs !== null && { connectMs: connectTimeoutMs }),
      ...(firstByteTimeoutMs !== null && { firstByteMs: firstByteTimeoutMs }),
      ...(idleTimeoutMs !== null && { idleMs: idleTimeoutMs }),
    },
  }
}

/** Returns `{ [name]: value }`; empty when none is stored. */
export async function openHeaders(
  tx: Tx,
  { headersSecretId }: Pick<Connection, 'headersSecretId'>,
): Promise<Record<string, string>> {
  if (headersSecretId === null) return {}
  return Headers.parse(JSON.parse(await openSecret(tx, headersSecretId)))
}

/** Returns the keys of a pool by the ids of their rows. `own`: the connection's own key. */
export async function openKeys(
  tx: Tx,
  connectionId: string,
  own: string | null,
): Promise<Map<string, string>> {
  const rows = await tx.connectionKey.findMany({
    where: { connectionId },
    select: { id: true, secretId: true },
  })
  const secrets = await openSecrets(
    tx,
    rows.flatMap(({ secretId }) => secretId ?? []),
  )
  return new Map(
    rows.flatMap(({ id, secretId }) => {
      const key = secretId === null ? own : secrets.get(secretId)
      return key ? [[id, key] as const] : []
    }),
  )
}
