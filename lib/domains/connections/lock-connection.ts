import type { Connection } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'

/**
 * Reads a connection for a change: until the transaction ends nobody else changes it or its secrets. A change of its
 * secrets alone leaves `updatedAt` as it is, so that it is no conflict for a form that is open.
 */
export async function lockConnection(tx: Tx, id: string): Promise<Connection> {
  await tx.$executeRaw`SELECT 1 FROM connections WHERE id = ${id}::uuid FOR UPDATE`
  const row = await tx.connection.findUnique({ where: { id } })
  if (!row) throw new NotFoundError('The connection')
  return row
}
