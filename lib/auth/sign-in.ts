import { z } from 'zod'
import { withTransaction } from '../db'
import { UnauthenticatedError } from '../errors'
import { parseInput } from '../parse-input'
import { authenticate } from '../users/authenticate'
import { requirePasswordSignIn } from '../users/require-password-sign-in'
import { knownBrowser } from './known-browser'
import { beginAttempt, forgiveAttempt } from './limit-attempts'
import { openSession, type SignInOrigin } from './open-session'
import { reportFailedSignIn } from './report-refusal'

const Credentials = z.object({
  email: z
    .string()
    .min(1, 'Write your e-mail address.')
    .max(254, 'This e-mail address is too long.'),
  password: z.string().min(1, 'Write your password.').max(1024, 'This password is too long.'),
})

/**
 * Checks credentials and opens a session. Throws UnauthenticatedError (the same words for an unknown, disabled or
 * wrong account) or RateLimitedError, which says when to try again; both are in the audit.
 */
export async function signIn(
  input: unknown,
  origin: SignInOrigin,
): Promise<{ userId: string; sessionId: string; email: string }> {
  requirePasswordSignIn()
  const { email, password } = parseInput(Credentials, input)
  try {
    return { ...(await checkAndOpen(email, password, origin)), email }
  } catch (error) {
    reportFailedSignIn(error, email, origin)
    throw error
  }
}

async function checkAndOpen(
  email: string,
  password: string,
  origin: SignInOrigin,
): Promise<{ userId: string; sessionId: string }> {
  const attempt = await beginAttempt(email, 'password', {
    browserId: knownBrowser(origin.browserCookie, email),
    address: origin.countedAddress,
  })
  const verified = await authenticate(email, password, attempt.from)
  if (!verified) throw wrongCredentials()
  return withTransaction(async (tx) => {
    await forgiveAttempt(tx, attempt)
    const session = await openSession(tx, { by: 'password', ...verified }, origin)
    // Thrown inside the transaction: the attempt stays counted.
    if (!session) throw wrongCredentials()
    return session
  })
}

function wrongCredentials(): UnauthenticatedError {
  return new UnauthenticatedError('The e-mail address or the password is wrong.')
}
