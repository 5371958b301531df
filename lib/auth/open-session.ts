import { defaultSettings, type SettingName, SiteSettings } from '@/lib/domains/settings/shape'
import { type MadeChange, makeChange } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import { allowNonPolicyWrite, type ChangeTx } from '@/lib/kernel/db'
import { sessionLifetimeSeconds } from './session-cookie'

/** The origin of a sign-in. */
export type SignInOrigin = {
  ipAddress: string | null
  userAgent: string | null
  /** From `countedAddress`: null when the address may be that of a proxy. */
  countedAddress: string | null
  /** Value of the `browserCookie` that the browser sent. */
  browserCookie: string | undefined
}

export type SecondFactorKind = 'app' | 'recovery-code' | 'passkey'

/**
 * The proof of a sign-in. A password is valid only while its hash is still the account's; a factor after a password, or
 * in its place, only while the account has a password. `authenticatedAt`: when the provider authenticated the person.
 */
export type SignInProof =
  | { by: 'password'; userId: string; passwordHash: string }
  | { by: 'second-factor'; userId: string; secondFactor: SecondFactorKind }
  | { by: 'passkey'; userId: string }
  | { by: 'identity-provider'; userId: string; authenticatedAt: Date | null }

export type OpenedSession = { userId: string; sessionId: string; email: string }

/**
 * Adds the row of a session after a sign-in; null when the account was disabled, deleted or given another password
 * meanwhile. The condition and the write are one statement: a simultaneous change of the account either makes it fail,
 * or waits for it and then ends this session too.
 */
export async function openSession(
  tx: ChangeTx,
  proof: SignInProof,
  { ipAddress, userAgent }: Pick<SignInOrigin, 'ipAddress' | 'userAgent'>,
): Promise<MadeChange<OpenedSession> | null> {
  const now = new Date()
  const { by, userId } = proof
  const { user: users } = allowNonPolicyWrite(tx, 'when a person signed in')
  const [user] = await users.updateManyAndReturn({
    where: { id: userId, disabledAt: null, deletedAt: null, ...stillHolds(proof) },
    data: { lastSignInAt: now },
  })
  if (!user) return null
  const session = await tx.session.create({
    data: {
      userId,
      ipAddress,
      userAgent: userAgent?.slice(0, 300) ?? null,
      authenticatedAt: by === 'identity-provider' ? (proof.authenticatedAt ?? now) : now,
      expiresAt: new Date(now.getTime() + sessionLifetimeSeconds * 1000),
    },
  })
  const actor = { userId, email: user.email, role: user.role }
  const person = { actor, via: 'console', ipAddress } as const
  const after =
    by === 'second-factor' ? { by: 'password', secondFactor: proof.secondFactor } : { by }
  const change = { by: person, action: 'session.open', subject: session.id, after } as const
  const ended = await endOldest(tx, userId, now)
  const closed = ended.map((id) => ({ by: person, action: 'session.close', subject: id }) as const)
  return {
    output: { userId, sessionId: session.id, email: user.email },
    changes: [...closed, change],
  }
}

/** Ends the oldest sessions of a person who has more than may be open at once, and returns their ids. The account's row is locked. */
async function endOldest(tx: ChangeTx, userId: string, now: Date): Promise<string[]> {
  const key: SettingName = 'sessionsOfPerson'
  const setting = await tx.setting.findUnique({ where: { key } })
  const most = SiteSettings.shape[key].safeParse(setting?.value).data ?? defaultSettings[key]
  const oldest = await tx.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: most,
    select: { id: true },
  })
  const ids = oldest.map(({ id }) => id)
  if (ids.length > 0)
    await tx.session.updateMany({ where: { id: { in: ids } }, data: { revokedAt: now } })
  return ids
}

function stillHolds(proof: SignInProof): Prisma.UserWhereInput {
  switch (proof.by) {
    case 'password':
      return { passwordHash: proof.passwordHash }
    case 'second-factor':
    case 'passkey':
      return { passwordHash: { not: null }, oidcSubject: null }
    case 'identity-provider':
      return {}
    default:
      return proof satisfies never
  }
}

/** Ends a session for good, whoever has its cookie. Does nothing when it has already ended. */
export async function revokeSession(sessionId: string): Promise<void> {
  await makeChange(async (tx) => {
    const ended = await tx.session.updateManyAndReturn({
      where: { id: sessionId, revokedAt: null },
      data: { revokedAt: new Date() },
      include: { user: true },
    })
    const changes = ended.map(({ user, ipAddress }) => {
      const actor = { userId: user.id, email: user.email, role: user.role }
      const person = { actor, via: 'console', ipAddress } as const
      return { by: person, action: 'session.close', subject: sessionId } as const
    })
    return { output: undefined, changes }
  })
}
