import { z } from 'zod'
import {
  type HashCaller,
  requirePasswordSignIn,
  verifyPassword,
} from '@/lib/domains/users/passwords'
import { Email } from '@/lib/domains/users/schemas'
import { type MadeChange, makeChange } from '@/lib/edge/verb'
import { type ChangeTx, db, type Tx } from '@/lib/kernel/db'
import { AppError, UnauthenticatedError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { knownBrowser } from './known-browser'
import { type Attempt, beginAttempt, forgiveAttempt } from './limit-attempts'
import { openSession, type SignInOrigin } from './open-session'
import { beginPendingSignIn } from './pending-sign-in'
import { reportFailedSignIn } from './report-refusal'

const Credentials = z.object({
  email: z
    .string()
    .min(1, 'Enter your e-mail address.')
    .max(254, 'This e-mail address is too long.'),
  password: z.string().min(1, 'Enter your password.').max(1024, 'This password is too long.'),
})

/** The password was right, and a second factor is required. `token` is for this browser alone, in a cookie. */
export class SecondFactorWanted extends AppError {
  constructor(readonly token: string) {
    super('second-factor', 401, 'Enter your second factor.')
  }
}

/**
 * Checks credentials and opens a session. Throws UnauthenticatedError (the same words for an unknown, disabled or
 * wrong account), RateLimitedError, which says when to try again, or SecondFactorWanted: then there is no session yet.
 * Failures are in the audit.
 */
export async function signIn(
  input: unknown,
  origin: SignInOrigin,
): Promise<{ userId: string; sessionId: string; email: string }> {
  requirePasswordSignIn()
  const { email, password } = parseInput(Credentials, input)
  const step = await checkAndOpen(email, password, origin).catch((error) => {
    reportFailedSignIn(error, email, origin)
    throw error
  })
  if ('token' in step) throw new SecondFactorWanted(step.token)
  return step
}

async function checkAndOpen(email: string, password: string, origin: SignInOrigin): Promise<Step> {
  const attempt = await beginAttempt(email, 'password', {
    browserId: knownBrowser(origin.browserCookie, email),
    address: origin.countedAddress,
  })
  const verified = await authenticate(email, password, attempt.from)
  if (!verified) throw wrongCredentials()
  return makeChange((tx) => goOn(tx, { verified, attempt, origin }))
}

type Step = { userId: string; sessionId: string; email: string } | { token: string }

async function goOn(
  tx: ChangeTx,
  { verified, attempt, origin }: { verified: Verified; attempt: Attempt; origin: SignInOrigin },
): Promise<MadeChange<Step>> {
  await forgiveAttempt(tx, attempt)
  if (await hasSecondFactor(tx, verified.userId)) {
    const token = await beginPendingSignIn(tx, verified)
    if (token === null) throw wrongCredentials()
    return { output: { token }, changes: [] }
  }
  const session = await openSession(tx, { by: 'password', ...verified }, origin)
  // Thrown inside the transaction, so that the attempt stays counted.
  if (!session) throw wrongCredentials()
  return session
}

async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const passkey = await tx.passkey.findFirst({ where: { userId }, select: { id: true } })
  const confirmed = { userId, confirmedAt: { not: null } }
  return passkey !== null || (await tx.totpApp.findFirst({ where: confirmed })) !== null
}

function wrongCredentials(): UnauthenticatedError {
  return new UnauthenticatedError('The e-mail address or the password is wrong.')
}

/** The account and the hash that matched. A later step checks that the account still has this hash. */
type Verified = { userId: string; passwordHash: string }

/** Returns the active account of these credentials, or null. Both answers take the same time. */
export async function authenticate(
  email: string,
  password: string,
  caller: HashCaller = 'known',
): Promise<Verified | null> {
  const address = Email.safeParse(email)
  const user = address.success
    ? await db().user.findFirst({
        where: { email: address.data, disabledAt: null, deletedAt: null },
        select: { id: true, passwordHash: true },
      })
    : null
  const passwordHash = user?.passwordHash ?? null
  const matches = await verifyPassword(passwordHash, password.slice(0, 1024), caller)
  return user && passwordHash !== null && matches ? { userId: user.id, passwordHash } : null
}
