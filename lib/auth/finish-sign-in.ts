import { z } from 'zod'
import { requirePasswordSignIn } from '@/lib/domains/users/passwords'
import { type MadeChange, makeChange } from '@/lib/edge/verb'
import type { ChangeTx } from '@/lib/kernel/db'
import { UnauthenticatedError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { acceptRecoveryCode, type CodeHashes, codeHashes } from './factors/second-factor'
import { acceptTotpCode } from './factors/totp'
import { type PasskeyAnswer, PasskeyRefused, verifyPasskey } from './factors/verify-passkey'
import { knownBrowser } from './known-browser'
import { type Attempt, beginAttempt, forgiveAttempt } from './limit-attempts'
import { openSession, type SecondFactorKind, type SignInOrigin } from './open-session'
import {
  countTry,
  type PendingSignIn,
  readPendingSignIn,
  usePendingSignIn,
} from './pending-sign-in'
import { reportFailedSignIn } from './report-refusal'

const Code = z.string().trim().min(1, 'Enter a code.').max(100, 'This code is too long.')

type Opened = { userId: string; sessionId: string; email: string }
type Step = { pending: PendingSignIn; origin: SignInOrigin; now: Date }

/**
 * Opens the session that a right password began, with a code of an authenticator app or a recovery code. Each works
 * once. Throws UnauthenticatedError or RateLimitedError; after five wrong codes the password is asked for again.
 */
export async function finishSignInWithCode(
  token: string | undefined,
  input: unknown,
  origin: SignInOrigin,
  now = new Date(),
): Promise<Opened> {
  const pending = await requirePending(token, now)
  return finishWithCode({ pending, origin, now }, parseInput(Code, input)).catch((error) => {
    reportFailedSignIn(error, pending.email, origin)
    throw error
  })
}

async function finishWithCode({ pending, origin, now }: Step, code: string): Promise<Opened> {
  const attempt = await beginAttempt(pending.email, 'code', {
    browserId: knownBrowser(origin.browserCookie, pending.email),
    address: origin.countedAddress,
  })
  if (!(await countTry(pending))) throw isOver()
  const given = await givenCode(pending.userId, code)
  return makeChange(async (tx) => {
    if (!(await usePendingSignIn(tx, pending))) throw isOver()
    const accepted = await acceptCode(tx, { pending, origin, now }, given)
    // Thrown inside the transaction, which then deletes nothing: the sign-in can continue, and both counts stay.
    if (!accepted) throw new UnauthenticatedError('This code is wrong, expired, or already used.')
    const { output, changes } = await open(tx, { pending, origin, now }, accepted.output, attempt)
    return { output, changes: [...accepted.changes, ...changes] }
  })
}

/** Opens the session that a right password began, with a passkey of the account. */
export async function finishSignInWithPasskey(
  token: string | undefined,
  input: PasskeyAnswer,
  origin: SignInOrigin,
): Promise<Opened> {
  const now = new Date()
  const pending = await requirePending(token, now)
  const use = { purpose: 'second-factor', subject: pending.id } as const
  await verifyPasskey(input, use, pending.userId).catch((error) => {
    reportFailedSignIn(error, pending.email, origin)
    throw error
  })
  return makeChange(async (tx) => {
    if (!(await usePendingSignIn(tx, pending))) throw isOver()
    return open(tx, { pending, origin, now }, 'passkey', null)
  })
}

/** Opens a session with a passkey alone. It proves that its owner is present, which counts as both factors. */
export async function signInWithPasskey(
  input: PasskeyAnswer,
  origin: SignInOrigin,
): Promise<Opened> {
  requirePasswordSignIn()
  const use = { purpose: 'sign-in', subject: '' } as const
  const { userId } = await verifyPasskey(input, use).catch((error) => {
    // A passkey that no account has names no account for the audit.
    const owner = error instanceof PasskeyRefused ? error.owner : null
    reportFailedSignIn(error, owner, origin)
    throw error
  })
  return makeChange(async (tx) => {
    const session = await openSession(tx, { by: 'passkey', userId }, origin)
    if (!session) throw new UnauthenticatedError('This account cannot sign in. Ask an admin.')
    return session
  })
}

type GivenCode = { type: 'app'; digits: string } | { type: 'recovery-code'; hashes: CodeHashes }

/** Reads a code as one of an app or as a recovery code, which is hashed slowly, and so before the transaction. */
async function givenCode(userId: string, code: string): Promise<GivenCode> {
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) return { type: 'app', digits }
  return { type: 'recovery-code', hashes: await codeHashes(userId, code) }
}

async function acceptCode(
  tx: ChangeTx,
  { pending, origin, now }: Step,
  given: GivenCode,
): Promise<MadeChange<SecondFactorKind> | null> {
  if (given.type === 'app') {
    const isRight = await acceptTotpCode(tx, pending.userId, given.digits, now)
    return isRight ? { output: 'app', changes: [] } : null
  }
  const left = await acceptRecoveryCode(tx, pending.userId, given.hashes, now)
  if (left === null) return null
  const { role } = await tx.user.findUniqueOrThrow({ where: { id: pending.userId } })
  const actor = { userId: pending.userId, email: pending.email, role }
  const change = {
    by: { actor, via: 'console', ipAddress: origin.ipAddress },
    action: 'second-factor.use-recovery-code',
    type: 'user',
    subject: pending.userId,
    after: { left },
  } as const
  return { output: 'recovery-code', changes: [change] }
}

async function open(
  tx: ChangeTx,
  { pending, origin }: Step,
  secondFactor: SecondFactorKind,
  attempt: Attempt | null,
): Promise<MadeChange<Opened>> {
  if (attempt) await forgiveAttempt(tx, attempt)
  const proof = { by: 'second-factor', userId: pending.userId, secondFactor } as const
  const session = await openSession(tx, proof, origin)
  if (!session) throw isOver()
  return session
}

async function requirePending(token: string | undefined, now: Date): Promise<PendingSignIn> {
  requirePasswordSignIn()
  const pending = await readPendingSignIn(token, now)
  if (!pending) throw isOver()
  return pending
}

function isOver(): UnauthenticatedError {
  return new UnauthenticatedError('This sign-in expired. Start again with your password.')
}
