import type { Connection } from '../../generated/prisma/client'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'

/** The stored row, on or off. NotFoundError when there is none. */
export async function requireConnection(connectionId: string): Promise<Connection> {
  const id = parseId(connectionId, 'The connection')
  const row = await db().connection.findUnique({ where: { id } })
  if (!row) throw new NotFoundError('The connection')
  return row
}
