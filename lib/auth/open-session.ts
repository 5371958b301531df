import { recordAudit } from '../audit/record-audit'
import type { Tx } from '../db'
import { sessionLifetimeSeconds } from './session-cookie'

/** Where a sign-in comes from. */
export type SignInOrigin = {
  ipAddress: string | null
  userAgent: string | null
  /** From `countedAddress`: null when the address may be that of a proxy. */
  countedAddress: string | null
  /** What the browser sent of `browserCookie`. */
  browserCookie: string | undefined
}

/** Who was let in, and by what; a password counts only while its hash is still the account's. */
export type SignInProof =
  | { by: 'password'; userId: string; passwordHash: string }
  | { by: 'identity-provider'; userId: string }

/**
 * The row behind a sign-in, however it was proved; null when the account was disabled, deleted or given another
 * password since then. The condition and the mark are one statement: whoever changes the account meanwhile either
 * makes it fail, or waits for it and then ends this session too.
 */
export async function openSession(
  tx: Tx,
  { by, userId, ...proof }: SignInProof,
  { ipAddress, userAgent }: Pick<SignInOrigin, 'ipAddress' | 'userAgent'>,
): Promise<{ userId: string; sessionId: string } | null> {
  const now = new Date()
  const [user] = await tx.user.updateManyAndReturn({
    where: { id: userId, disabledAt: null, deletedAt: null, ...proof },
    data: { lastSignInAt: now },
  })
  if (!user) return null
  const session = await tx.session.create({
    data: {
      userId,
      ipAddress,
      userAgent: userAgent?.slice(0, 300) ?? null,
      expiresAt: new Date(now.getTime() + sessionLifetimeSeconds * 1000),
    },
  })
  const actor = { userId, email: user.email, role: user.role }
  await recordAudit(
    tx,
    { actor, via: 'console', ipAddress },
    { action: 'session.open', objectType: 'session', objectId: session.id, after: { by } },
  )
  return { userId, sessionId: session.id }
}
