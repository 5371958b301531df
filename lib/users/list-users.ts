import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import type { UserListing } from './schemas'

/** Every account that is not deleted, disabled ones too, by e-mail address. Never a password hash. Admins only. */
export async function listUsers(ctx: Ctx): Promise<UserListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().user.findMany({
    where: { deletedAt: null },
    omit: { passwordHash: true },
    include: { memberships: { include: { group: { select: { name: true } } } } },
    orderBy: { email: 'asc' },
  })
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    disabled: row.disabledAt !== null,
    groups: row.memberships.map(({ group }) => group.name).toSorted(),
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  }))
}
