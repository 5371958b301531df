import type { Prisma, User } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { holdLock } from '@/lib/kernel/locks'
import { passwordSignInIsOn } from './passwords'
import { signInWayOf, whereState } from './user-rows'

/** Serialises changes of the number of admins, so that there is always one (SPEC A3). */
export async function lockAdmins(tx: Tx): Promise<void> {
  await holdLock(tx, 'admins')
}

/** Refuses to remove the last admin who can sign in (SPEC A3). Needs `lockAdmins`. */
export async function requireAnotherAdmin(tx: Tx, user: User): Promise<void> {
  if (!(await isLastAdmin(tx, user))) return
  throw new ConflictError('This is the last admin. Make someone else an admin first.')
}

/**
 * Returns whether nobody else who can sign in is an admin. One who was only invited yet lets nobody in, and does not
 * count, nor does one who has only a password where passwords are off. Needs `lockAdmins`.
 */
export async function isLastAdmin(tx: Tx, user: User): Promise<boolean> {
  if (user.role !== 'admin' || user.disabledAt || signInWayOf(user) === 'none') return false
  const other = await tx.user.findFirst({
    where: {
      role: 'admin',
      deletedAt: null,
      id: { not: user.id },
      ...whereCanSignIn(),
    },
    select: { id: true },
  })
  return other === null
}

/** Returns the condition on accounts that are in use and can sign in here: with a password only where passwords are on. */
export function whereCanSignIn(): Prisma.UserWhereInput {
  return {
    ...whereState('active'),
    ...(!passwordSignInIsOn() && { oidcSubject: { not: null } }),
  }
}

/** Refuses, in the console, what would lock an admin out by mistake. A terminal on the server can always correct it. */
export function requireNotOneself(ctx: Ctx, userId: string, advice: string): void {
  if (ctx.via === 'cli' || ctx.actor.userId !== userId) return
  throw new ConflictError(`This is your own account. ${advice}`)
}
