import type { Tx } from '../../kernel/db'

/** No open one-time link of this account works any more. Says how many there were. */
export async function revokeAccountLinks(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx.accountLink.updateMany({
    where: { userId, usedAt: null, revokedAt: null },
    data: { revokedAt: new Date() },
  })
  return count
}
