import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import type { UserListing } from './schemas'
import { listedUser, toUserListing } from './to-user-listing'

/** Every account that is not deleted, disabled ones too, by e-mail address. Never a password hash. Admins only. */
export async function listUsers(ctx: Ctx): Promise<UserListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().user.findMany({
    where: { deletedAt: null },
    ...listedUser,
    orderBy: { email: 'asc' },
  })
  return rows.map(toUserListing)
}
