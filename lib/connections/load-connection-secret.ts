import type { Tx } from '../db'
import { NotFoundError } from '../errors'
import { type OpenConnection, openConnection } from './open-connection'

export type { OpenConnection } from './open-connection'

/** Reads a connection with its secrets opened. NotFoundError when it is gone or was disabled. */
export async function loadConnectionSecret(tx: Tx, connectionId: string): Promise<OpenConnection> {
  const row = await tx.connection.findFirst({ where: { id: connectionId, enabled: true } })
  if (!row) throw new NotFoundError('The connection')
  return openConnection(tx, row)
}
