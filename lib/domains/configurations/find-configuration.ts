import type { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db, type Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { didYouMean } from '../../kernel/nearest-name'
import { namedBy } from '../../protocol/identifier'

/** The id of the configuration with this id or identifier, disabled ones too. NotFoundError when there is none. Admins only. */
export async function findConfiguration(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  const where = namedBy(idOrIdentifier)
  const select = { id: true, identifier: true }
  const row = where && (await db().configuration.findFirst({ where, select }))
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
