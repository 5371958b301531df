import { recordAudit } from '../audit/record-audit'
import type { Tx } from '../db'
import { sessionLifetimeSeconds } from './session-cookie'

export type SignInOrigin = { ipAddress: string | null; userAgent: string | null }

/** The row behind a sign-in, however it was proved. `by` is how: the audit says it. */
export async function openSession(
  tx: Tx,
  userId: string,
  { ipAddress, userAgent }: SignInOrigin,
  by: 'password' | 'identity-provider',
): Promise<{ userId: string; sessionId: string }> {
  const now = new Date()
  const user = await tx.user.update({ where: { id: userId }, data: { lastSignInAt: now } })
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
