import { z } from 'zod'
import { recordAudit } from '../audit/record-audit'
import { withTransaction } from '../db'
import { UnauthenticatedError } from '../errors'
import { parseInput } from '../parse-input'
import { authenticate } from '../users/authenticate'
import { beginAttempt, forgiveAttempt } from './limit-sign-in'
import { sessionLifetimeSeconds } from './session-cookie'

const Credentials = z.object({
  email: z
    .string()
    .min(1, 'Write your e-mail address.')
    .max(254, 'This e-mail address is too long.'),
  password: z.string().min(1, 'Write your password.').max(1024, 'This password is too long.'),
})

export type SignInOrigin = { ipAddress: string | null; userAgent: string | null }

/**
 * Checks credentials and opens a session. Throws UnauthenticatedError (the same words for an unknown, disabled or
 * wrong account) or RateLimitedError.
 */
export async function signIn(
  input: unknown,
  { ipAddress, userAgent }: SignInOrigin,
): Promise<{ userId: string; sessionId: string }> {
  const { email, password } = parseInput(Credentials, input)
  const attempt = await beginAttempt(email, ipAddress)
  const userId = await authenticate(email, password)
  if (!userId) throw new UnauthenticatedError('The e-mail address or the password is wrong.')
  return withTransaction(async (tx) => {
    await forgiveAttempt(tx, attempt)
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
      {
        action: 'session.open',
        objectType: 'session',
        objectId: session.id,
      },
    )
    return { userId, sessionId: session.id }
  })
}
