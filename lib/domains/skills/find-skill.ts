import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'

/** The id of the skill with this id or exact name. NotFoundError when there is none. Admins only. */
export async function findSkill(ctx: Ctx, idOrName: string): Promise<{ id: string; name: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrName)
  const row = await db().skill.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    select: { id: true, name: true },
  })
  if (!row) throw new NotFoundError(`The skill ${idOrName.slice(0, 100)}`)
  return row
}
