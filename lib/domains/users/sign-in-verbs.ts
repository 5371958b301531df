import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { endSessions, removeSecondFactors, revokeAccess } from './access'
import { createAccountLink } from './account-links'
import { lockAdmins, requireAnotherAdmin, requireNotOneself } from './admins'
import { hashPassword, requirePasswordSignIn, requireStrongPassword } from './passwords'
import { NewPassword, OneTimeLink, type SignInWay } from './schemas'
import { requireUser, signInWayOf } from './user-rows'

const OneUser = z.object({ userId: z.string() })

/**
 * Creates a link, shown this once, with which the person sets a new password; for a person without a password it is a
 * new invitation. Not for disabled accounts, those of the identity provider, one's own or the last active admin's (SPEC
 * A3); a terminal may reset that one.
 */
export const resetPassword = verb({
  name: 'user.reset-sign-in',
  role: 'admin',
  scope: null,
  summary:
    'Removes the password of an account, ends its sessions, API keys and active runs, and makes a one-time link to set a new one.',
  reason: 'optional',
  input: OneUser,
  output: OneTimeLink,
  needsReauthentication: () => true,
  audits: ['user.reset-sign-in', 'user.invite-again'],
  // Runs that the account started end, so it decides (SPEC G-R).
  transaction: changePolicy,
  run: async ({ tx, ctx }, { userId }) => {
    requirePasswordSignIn()
    await lockAdmins(tx)
    const user = await requireUser(tx, userId)
    const { id, email } = user
    requireNotOneself(ctx, id, 'Change your own password on your account page.')
    if (user.disabledAt) throw new ConflictError('This account is disabled. Enable it first.')
    const way = localWayOf(user)
    // A person at a terminal on the server hands the link to the only admin on purpose.
    if (ctx.via !== 'cli') await requireAnotherAdmin(tx, user)
    await tx.user.update({ where: { id }, data: { passwordHash: null } })
    const revoked = await revokeAccess(tx, id)
    const purpose = way === 'none' ? 'invite' : 'reset'
    const link = await createAccountLink(tx, ctx, { userId: id, purpose })
    const { expiresAt } = link
    return changed(link, {
      ...(purpose === 'invite' && { action: 'user.invite-again' as const }),
      subject: id,
      before: { signIn: way },
      after: { signIn: 'none', email, ...revoked, expiresAt },
    })
  },
})

/**
 * For the terminal, where someone locked out has no other way; the console gives links instead, so that no admin knows
 * another's password. Not for accounts of the identity provider.
 */
export const setPassword = verb({
  name: 'user.set-sign-in',
  role: 'admin',
  scope: null,
  summary: 'Gives an account this password; its sessions, API keys, links and active runs end.',
  input: NewPassword.extend(OneUser.shape),
  needsReauthentication: () => true,
  transaction: 'later',
  run: async ({ change }, { userId, password }) => {
    await requireStrongPassword(password, await requireUser(db(), userId))
    const passwordHash = await hashPassword(password)
    await change(async (tx) => {
      const user = await requireUser(tx, userId)
      const { id, email } = user
      const signIn = localWayOf(user)
      await tx.user.update({ where: { id }, data: { passwordHash } })
      const after = { signIn: 'password', email, ...(await revokeAccess(tx, id)) }
      return changed(undefined, { subject: id, before: { signIn }, after })
    }, changePolicy)
  },
})

type Credentials = Parameters<typeof signInWayOf>[0]

/** Returns how somebody signs in here. Throws ConflictError when the identity provider does that. */
function localWayOf(user: Credentials): Exclude<SignInWay, 'identity-provider'> {
  const way = signInWayOf(user)
  if (way !== 'identity-provider') return way
  throw new ConflictError(
    'This account signs in through the identity provider. Reset the password there.',
  )
}

/**
 * The person signs in with the password alone, and sets up a new second factor where the site requires it. In the
 * console not for one's own account. Throws ConflictError when there is none.
 */
export const resetSecondFactor = verb({
  name: 'user.reset-second-factor',
  role: 'admin',
  scope: null,
  summary:
    'Removes every second factor and the recovery codes of an account and ends its sessions.',
  reason: 'required',
  input: OneUser,
  output: z.object({ sessionsEnded: z.int() }),
  needsReauthentication: () => true,
  run: async ({ tx, ctx }, { userId }) => {
    const id = parseId(userId, 'The user')
    requireNotOneself(ctx, id, 'Change your own second factors on your account page.')
    const [user] = await tx.$queryRaw<{ email: string }[]>`
      SELECT email FROM users WHERE id = ${id}::uuid AND "deletedAt" IS NULL FOR UPDATE`
    if (!user) throw new NotFoundError('The user')
    const { email } = user
    const removed = await removeSecondFactors(tx, id)
    if (removed.passkeysRemoved + removed.appsRemoved === 0) {
      throw new ConflictError('This account has no second factor.')
    }
    const sessionsEnded = await endSessions(tx, id)
    const after = { email, ...removed, sessionsEnded }
    return changed({ sessionsEnded }, { subject: id, before: { email }, after })
  },
})

/**
 * Ends a session of the caller or, for admins, of anyone, which needs a fresh confirmation of identity; NotFoundError for
 * others. Returns false when it has already ended.
 */
export const endSession = verb({
  name: 'session.end',
  role: 'member',
  scope: null,
  summary: 'Ends one session at once.',
  input: z.object({ sessionId: z.string() }),
  output: z.boolean(),
  run: async ({ tx, ctx, actor }, { sessionId }) => {
    const id = parseId(sessionId, 'The session')
    const mine = actor.role === 'admin' ? { id } : { id, userId: actor.userId }
    const session = await tx.session.findFirst({ where: mine, include: { user: true } })
    if (!session) throw new NotFoundError('The session')
    if (session.userId !== actor.userId) ctx.requireProof?.()
    const { count } = await tx.session.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    if (count === 0) return unchanged(false)
    const before = { email: session.user.email, ipAddress: session.ipAddress }
    return changed(true, { subject: id, before })
  },
})

/**
 * All but `exceptId`. One's own account, or as an admin anyone's, which needs a fresh confirmation of identity; another's
 * is NotFoundError. Returns how many there were.
 */
export const endAllSessions = verb({
  name: 'user.end-sessions',
  role: 'member',
  scope: null,
  summary: 'Signs an account out everywhere.',
  reason: 'optional',
  input: OneUser.extend({ exceptId: z.string().optional() }),
  output: z.int(),
  run: async ({ tx, ctx, actor }, { userId, exceptId }) => {
    const { id, email } = await requireUser(tx, userId)
    if (actor.role !== 'admin' && id !== actor.userId) throw new NotFoundError('The user')
    if (id !== actor.userId) ctx.requireProof?.()
    const sessions = await endSessions(tx, id, exceptId)
    if (sessions === 0) return unchanged(0)
    return changed(sessions, { subject: id, before: { email, sessions } })
  },
})
