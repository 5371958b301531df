import type { Tx } from '../../kernel/db'

/** No API key of this account works any more, whatever becomes of the account. Says how many there were. */
export async function revokeApiKeys(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx.apiKey.updateMany({
    where: { userId, revokedAt: null },
    data: { revokedAt: new Date() },
  })
  return count
}
