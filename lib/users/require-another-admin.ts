import type { Tx } from '../db'
import { ConflictError } from '../errors'
import type { User } from '../generated/prisma/client'

/** Refuses to take away the last active admin (SPEC A3). Needs `lockAdmins`; others may always go. */
export async function requireAnotherAdmin(tx: Tx, user: User): Promise<void> {
  if (user.role !== 'admin' || user.disabledAt) return
  const other = await tx.user.findFirst({
    where: { role: 'admin', disabledAt: null, deletedAt: null, id: { not: user.id } },
    select: { id: true },
  })
  if (!other) throw new ConflictError('This is the last admin. Make someone else an admin first.')
}
