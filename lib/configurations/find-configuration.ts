import { z } from 'zod'
import { type Ctx, requireRole } from '../context'
import { db, type Tx } from '../db'
import { NotFoundError } from '../errors'
import type { Prisma } from '../generated/prisma/client'
import { didYouMean } from '../nearest-name'
import { ConfigurationIdentifier } from './schemas'

/** The id of the configuration with this id or identifier, disabled ones too. NotFoundError when there is none. Admins only. */
export async function findConfiguration(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrIdentifier)
  const identifier = ConfigurationIdentifier.safeParse(idOrIdentifier)
  const row = identifier.success
    ? await db().configuration.findFirst({
        where: id.success ? { id: id.data } : { identifier: identifier.data },
        select: { id: true, identifier: true },
      })
    : null
  if (!row) throw await unknownConfiguration(db(), idOrIdentifier, {})
  return row
}

/** Returns a NotFoundError that names the nearest configuration among those that fit `visible`. */
export async function unknownConfiguration(
  tx: Tx,
  wanted: string,
  visible: Prisma.ConfigurationWhereInput,
): Promise<NotFoundError> {
  const rows = await tx.configuration.findMany({ where: visible, select: { identifier: true } })
  const names = rows.map(({ identifier }) => identifier)
  return new NotFoundError('The configuration', didYouMean(wanted, names))
}
