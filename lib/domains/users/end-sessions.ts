import type { Tx } from '../../kernel/db'

/**
 * Ends the sessions of an account, all but `exceptId`, and sign-ins that wait for a second factor. They stop counting at
 * their next request.
 */
export async function endSessions(tx: Tx, userId: string, exceptId?: string): Promise<number> {
  const others = exceptId === undefined ? {} : { id: { not: exceptId } }
  const { count } = await tx.session.updateMany({
    where: { userId, revokedAt: null, expiresAt: { gt: new Date() }, ...others },
    data: { revokedAt: new Date() },
  })
  await tx.pendingSignIn.deleteMany({ where: { userId } })
  return count
}
