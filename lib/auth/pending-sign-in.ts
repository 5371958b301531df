import { createHash, randomBytes } from 'node:crypto'
import { db, type Tx } from '@/lib/kernel/db'
import { hasSecureCookies, hostPrefix } from './session-cookie'

const pendingSignInSeconds = 5 * 60
const mostFailures = 5

/** A sign-in whose password was right; `userId` is not signed in. `ways` are the factors the account has. */
export type PendingSignIn = {
  id: string
  userId: string
  email: string
  ways: { app: boolean; passkey: boolean }
}

export function pendingCookieName(): string {
  return `${hostPrefix()}toolgate.pending-sign-in`
}

/** Returns the cookie that holds the token; scripts cannot read it, and other sites' pages do not send it. */
export function pendingCookie(token: string): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${pendingSignInSeconds}`]
  if (hasSecureCookies()) attributes.push('Secure')
  return [`${pendingCookieName()}=${token}`, ...attributes].join('; ')
}

/**
 * Stores that somebody entered the right password, and returns the token with which this browser continues, for five
 * minutes. Null when the account was disabled or got another password meanwhile, which the lock on its row ensures.
 */
export async function beginPendingSignIn(
  tx: Tx,
  { userId, passwordHash }: { userId: string; passwordHash: string },
  now = new Date(),
): Promise<string | null> {
  const [user] = await tx.$queryRaw<unknown[]>`
    SELECT id FROM users WHERE id = ${userId}::uuid AND "passwordHash" = ${passwordHash}
      AND "disabledAt" IS NULL AND "deletedAt" IS NULL FOR SHARE`
  if (!user) return null
  await tx.pendingSignIn.deleteMany({ where: { expiresAt: { lt: now } } })
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + pendingSignInSeconds * 1000)
  await tx.pendingSignIn.create({ data: { userId, tokenHash: hashOf(token), expiresAt } })
  return token
}

const countedFactors = {
  _count: { select: { passkeys: true, totpApps: { where: { confirmedAt: { not: null } } } } },
} as const

/** Returns the sign-in that a browser's token belongs to; null when there is none, or it is over. */
export async function readPendingSignIn(
  token: string | undefined,
  now = new Date(),
): Promise<PendingSignIn | null> {
  if (!token) return null
  const row = await db().pendingSignIn.findFirst({
    where: { tokenHash: hashOf(token), expiresAt: { gt: now }, failures: { lt: mostFailures } },
    select: { id: true, userId: true, user: { select: { email: true, ...countedFactors } } },
  })
  if (!row) return null
  const { passkeys, totpApps } = row.user._count
  const ways = { app: totpApps > 0, passkey: passkeys > 0 }
  return { id: row.id, userId: row.userId, email: row.user.email, ways }
}

/** Counts a try before the code is checked. Returns false after five tries; then the password is required again. */
export async function countTry(pending: PendingSignIn): Promise<boolean> {
  const { count } = await db().pendingSignIn.updateMany({
    where: { id: pending.id, failures: { lt: mostFailures } },
    data: { failures: { increment: 1 } },
  })
  return count === 1
}

/** Ends the waiting sign-in. Returns false when it has already ended, or the password was changed meanwhile. */
export async function usePendingSignIn(tx: Tx, pending: PendingSignIn): Promise<boolean> {
  // Locks the account's row first, as a change of the password does, so that the two never deadlock.
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${pending.userId}::uuid FOR UPDATE`
  const { count } = await tx.pendingSignIn.deleteMany({ where: { id: pending.id } })
  return count === 1
}

/** Cancels the sign-in, so that another account can be used. */
export async function dropPendingSignIn(token: string): Promise<void> {
  await db().pendingSignIn.deleteMany({ where: { tokenHash: hashOf(token) } })
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
