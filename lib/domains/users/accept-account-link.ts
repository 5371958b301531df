import type { AccountLink, User } from '../../generated/prisma/client'
import { type Tx, withTransaction } from '../../kernel/db'
import { ForbiddenError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { hashAccountToken } from './account-token'
import { endSessions } from './end-sessions'
import { hashPassword } from './hash-password'
import { NewPassword } from './new-password'
import { requireStrongPassword } from './password-strength'
import { readAccountLink } from './read-account-link'
import { requirePasswordSignIn } from './require-password-sign-in'

/**
 * Sets the password of the account a one-time link belongs to and uses the link up; sessions that were open end. Of
 * several at once exactly one wins. ForbiddenError when the link is used, revoked, expired or unknown.
 */
export async function acceptAccountLink(
  token: string,
  input: NewPassword,
  ipAddress: string | null = null,
): Promise<{ email: string }> {
  requirePasswordSignIn()
  const { password } = parseInput(NewPassword, input)
  // Judging and hashing are slow: not for whoever made a token up.
  const link = await readAccountLink(token)
  if (link.type !== 'open') throw doesNotWork()
  await requireStrongPassword(password, link)
  const passwordHash = await hashPassword(password)
  return withTransaction(async (tx) => {
    const { user, purpose } = await useLink(tx, token)
    await tx.user.update({ where: { id: user.id }, data: { passwordHash } })
    await endSessions(tx, user.id)
    const actor = { userId: user.id, email: user.email, role: user.role }
    await recordAudit(
      tx,
      { actor, via: 'console', ipAddress },
      {
        action: purpose === 'invite' ? 'user.accept-invitation' : 'user.accept-reset',
        objectType: 'user',
        objectId: user.id,
        before: { email: user.email, signIn: 'none' },
        after: { email: user.email, signIn: 'password' },
      },
    )
    return { email: user.email }
  })
}

/** The condition and the mark are one statement, so a link opens one door once. */
async function useLink(tx: Tx, token: string): Promise<AccountLink & { user: User }> {
  const now = new Date()
  const tokenHash = hashAccountToken(token)
  // The account before its link, as whoever resets it does: two of them never wait for each other in a circle.
  await tx.$executeRaw`
    SELECT u.id FROM users u JOIN account_links l ON l."userId" = u.id
    WHERE l."tokenHash" = ${tokenHash} FOR UPDATE OF u`
  const [link] = await tx.accountLink.updateManyAndReturn({
    where: {
      tokenHash,
      usedAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    data: { usedAt: now },
    include: { user: true },
  })
  // Thrown inside the transaction: a link of an account that is closed stays unused.
  if (link && mayStillEnter(link.user)) return link
  throw doesNotWork()
}

function mayStillEnter({ disabledAt, deletedAt, oidcSubject }: User): boolean {
  return disabledAt === null && deletedAt === null && oidcSubject === null
}

function doesNotWork(): ForbiddenError {
  return new ForbiddenError('This link no longer works. Ask an admin for a new one.')
}
