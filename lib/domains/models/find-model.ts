import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'

/**
 * The id of the model with this id, or whose own id at its provider is this; `connection` (a name) tells apart those
 * that several connections have. ConflictError when it is needed, NotFoundError when there is none. Admins only.
 */
export async function findModel(
  ctx: Ctx,
  idOrModelId: string,
  connection?: string,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrModelId)
  const name = connection === undefined ? {} : { connection: { name: connection.trim() } }
  const found = await db().model.findMany({
    where: id.success ? { id: id.data } : { modelId: idOrModelId.trim(), ...name },
    select: { id: true, connection: { select: { name: true } } },
    orderBy: { connection: { name: 'asc' } },
  })
  const [first, ...others] = found
  if (!first) throw new NotFoundError('The model')
  if (others.length === 0) return { id: first.id }
  const names = found.map((each) => each.connection.name).join(', ')
  throw new ConflictError(`Several connections have that model: ${names}. Name the connection too.`)
}
