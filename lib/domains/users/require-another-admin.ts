import type { User } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { signInWayOf, whereState } from './to-user-listing'

/** Refuses to take away the last admin who can sign in (SPEC A3). Needs `lockAdmins`; others may always go. */
export async function requireAnotherAdmin(tx: Tx, user: User): Promise<void> {
  if (!(await isLastAdmin(tx, user))) return
  throw new ConflictError('This is the last admin. Make someone else an admin first.')
}

/** An admin who was only invited yet lets nobody in, and does not count. Needs `lockAdmins`. */
export async function isLastAdmin(tx: Tx, user: User): Promise<boolean> {
  if (user.role !== 'admin' || user.disabledAt || signInWayOf(user) === 'none') return false
  const other = await tx.user.findFirst({
    where: { role: 'admin', deletedAt: null, id: { not: user.id }, ...whereState('active') },
    select: { id: true },
  })
  return other === null
}
