import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { didYouMean } from '../../kernel/nearest-name'

/** The id of the group with this id or exact name. NotFoundError when there is none. Admins only. */
export async function findGroup(ctx: Ctx, idOrName: string): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrName)
  const row = await db().group.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    select: { id: true },
  })
  if (row) return row
  const names = (await db().group.findMany({ select: { name: true } })).map(({ name }) => name)
  throw new NotFoundError(`The group ${idOrName.slice(0, 100)}`, didYouMean(idOrName, names))
}
