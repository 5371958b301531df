import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'

/** The id of the connection with this id or exact name. NotFoundError when there is none. Admins only. */
export async function findConnection(ctx: Ctx, idOrName: string): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrName)
  const row = await db().connection.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    select: { id: true },
  })
  if (!row) throw new NotFoundError('The connection')
  return row
}
