import type { Wire } from '../column-names'
import { wireOf } from '../column-names'
import type { Tx } from '../db'
import { NotFoundError } from '../errors'
import { openSecret } from '../vault/open-secret'

/** What is needed to reach a provider. Holds its key: for lib/runs and the doctor alone, never for a page. */
export type OpenConnection = {
  wire: Wire
  baseUrl: string | null
  organisation: string | null
  apiKey: string | null
}

/** Reads a connection with its key opened. NotFoundError when it is gone or was disabled. */
export async function loadConnectionSecret(tx: Tx, connectionId: string): Promise<OpenConnection> {
  const row = await tx.connection.findFirst({ where: { id: connectionId, enabled: true } })
  if (!row) throw new NotFoundError('The connection')
  return {
    wire: wireOf(row.wire),
    baseUrl: row.baseUrl,
    organisation: row.organisation,
    apiKey: row.secretId ? await openSecret(tx, row.secretId) : null,
  }
}
