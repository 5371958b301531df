import { db } from '../../kernel/db'
import { hashAccountToken } from './account-token'

export type AccountLinkState =
  | { type: 'open'; purpose: 'invite' | 'reset'; email: string; name: string }
  | { type: 'used' | 'revoked' | 'expired' | 'unknown' }

/** Where a one-time link stands. Whoever holds it may know whose it is; nobody else can ask. */
export async function readAccountLink(token: string, now = new Date()): Promise<AccountLinkState> {
  const link = await db().accountLink.findUnique({
    where: { tokenHash: hashAccountToken(token) },
    include: { user: true },
  })
  if (!link) return { type: 'unknown' }
  if (link.usedAt) return { type: 'used' }
  const { email, name, disabledAt, deletedAt } = link.user
  if (link.revokedAt || disabledAt || deletedAt) return { type: 'revoked' }
  if (link.expiresAt <= now) return { type: 'expired' }
  return { type: 'open', purpose: link.purpose, email, name }
}
