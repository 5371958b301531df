import { z } from 'zod'
import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { NotFoundError } from '../errors'
import { ConfigurationIdentifier } from './schemas'

/** The id of the configuration with this id or identifier, disabled ones too. NotFoundError when there is none. Admins only. */
export async function findConfiguration(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrIdentifier)
  const identifier = ConfigurationIdentifier.safeParse(idOrIdentifier)
  if (!identifier.success) throw new NotFoundError('The configuration')
  const row = await db().configuration.findFirst({
    where: id.success ? { id: id.data } : { identifier: identifier.data },
    select: { id: true, identifier: true },
  })
  if (!row) throw new NotFoundError('The configuration')
  return row
}
