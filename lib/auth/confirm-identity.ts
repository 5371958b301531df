import { z } from 'zod'
import { verifyPassword } from '@/lib/domains/users/passwords'
import type { SignInWay } from '@/lib/domains/users/schemas'
import { signInWayOf } from '@/lib/domains/users/user-rows'
import { makeChange } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { AppError, UnauthenticatedError, ValidationError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { parseInput } from '@/lib/kernel/parse-input'
import { passkeySite } from './factors/passkey-challenge'
import { PasskeyAnswer, verifyPasskey } from './factors/verify-passkey'
import { type Attempt, beginAttempt, forgiveAttempt } from './limit-attempts'
import type { SignedIn } from './load-session'
import { oidcSettings } from './oidc'
import { reportFailedPassword } from './report-refusal'

const freshMs = 15 * 60_000

/** Throws unless the person behind this session proved who they are within the last 15 minutes (SPEC A6). */
export function requireFreshProof({ authenticatedAt }: SignedIn, now = new Date()): void {
  if (now.getTime() - authenticatedAt.getTime() <= freshMs) return
  throw new AppError(
    'confirm-identity',
    403,
    'Your last sign-in is older than 15 minutes. Confirm that it is you and try again.',
  )
}

/**
 * The ways to confirm an identity. `provider` is the name of the identity provider to sign in at again. `remembered`: at the last
 * sign-in there, it reported one of this time, which was too old even then; ISO text in UTC.
 */
export type WaysToConfirm = {
  password: boolean
  passkey: boolean
  provider: string | null
  remembered?: string
}

/** Returns the ways that are open to oneself. */
export async function waysToConfirm(ctx: Ctx): Promise<WaysToConfirm> {
  const { userId } = ctx.actor
  const user = await db().user.findUniqueOrThrow({
    where: { id: userId },
    include: { _count: { select: { passkeys: true } } },
  })
  const way: SignInWay = signInWayOf(user)
  const remembered = way === 'identity-provider' && (await rememberedSignIn(ctx))
  return {
    password: way === 'password',
    passkey: way === 'password' && user._count.passkeys > 0 && passkeySite().type === 'available',
    provider: way === 'identity-provider' ? (oidcSettings()?.name ?? null) : null,
    ...(remembered && { remembered }),
  }
}

async function rememberedSignIn({ sessionId }: Ctx): Promise<string | null> {
  if (sessionId === undefined) return null
  const session = await db().session.findUnique({ where: { id: sessionId } })
  if (!session) return null
  const { createdAt, authenticatedAt } = session
  return createdAt.getTime() - authenticatedAt.getTime() > freshMs
    ? authenticatedAt.toISOString()
    : null
}

export const ConfirmIdentity = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('password'),
    password: z.string().min(1, 'Enter your password.').max(1024, 'This is too long.'),
  }),
  z.object({ by: z.literal('passkey'), answer: PasskeyAnswer }),
])
export type ConfirmIdentity = z.input<typeof ConfirmIdentity>

/**
 * Records that the person of a session confirmed their identity: with the password, counted like a sign-in, or with a
 * passkey. The session gets another id, which is returned: whoever has an older cookie of it is out. Throws ValidationError when the password is wrong, UnauthenticatedError for a passkey, RateLimitedError.
 */
export async function confirmIdentity(
  ctx: Ctx,
  input: ConfirmIdentity,
  sessionId: string,
): Promise<string> {
  requireRole(ctx, 'member')
  const proof = parseInput(ConfirmIdentity, input)
  const { userId } = ctx.actor
  const right = await checkProof(ctx, proof, sessionId).catch((error) => {
    reportFailedPassword(error, ctx)
    throw error
  })
  const id = newId()
  return makeChange(async (tx) => {
    if (right) await forgiveAttempt(tx, right.attempt)
    const { count } = await tx.session.updateMany({
      where: {
        id: sessionId,
        userId,
        revokedAt: null,
        ...(right && { user: { passwordHash: right.passwordHash } }),
      },
      data: { id, authenticatedAt: new Date() },
    })
    if (count === 0) throw new UnauthenticatedError()
    const after = { by: proof.by, sessionId: id }
    const change = { by: ctx, action: 'session.confirm', subject: sessionId, after } as const
    return { output: id, changes: [change] }
  })
}

/** Returns what a right password leaves to do; null after a passkey. */
async function checkProof(
  ctx: Ctx,
  proof: z.output<typeof ConfirmIdentity>,
  sessionId: string,
): Promise<RightPassword | null> {
  if (proof.by === 'password') return checkPassword(ctx, proof.password, sessionId)
  const use = { purpose: 'confirm', subject: sessionId } as const
  await verifyPasskey(proof.answer, use, ctx.actor.userId)
  return null
}

/** Returns the hash that matched, and the attempt to forgive. */
type RightPassword = { passwordHash: string; attempt: Attempt }

async function checkPassword(
  { actor: { userId, email } }: Ctx,
  password: string,
  sessionId: string,
): Promise<RightPassword> {
  const attempt = await beginAttempt(email, 'password', { sessionId, address: null })
  const user = await db().user.findFirst({
    where: { id: userId, disabledAt: null, deletedAt: null },
    select: { passwordHash: true },
  })
  const stored = user?.passwordHash ?? null
  const matches = await verifyPassword(stored, password)
  if (stored !== null && matches) return { passwordHash: stored, attempt }
  throw new ValidationError({ password: 'This is not your password.' })
}
