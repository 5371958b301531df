import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { changed, makeChange, unchanged, verb } from '@/lib/edge/verb'
import type { AccountLink, User } from '@/lib/generated/prisma/client'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import { allowNonPolicyWrite, type ChangeTx, db, type Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { endSessions, revokeAccountLinks } from './access'
import { hashPassword, requirePasswordSignIn, requireStrongPassword } from './passwords'
import { InviteUser, NewPassword, OneTimeLink } from './schemas'
import { explainTakenEmail, requireUser } from './user-rows'

const lifetimeMs = 7 * 86_400_000

/** The link is shown this once. Throws ConflictError when the address has an account, NotFoundError for a group. */
export const inviteUser = verb({
  name: 'user.invite',
  role: 'admin',
  scope: null,
  summary: 'Adds a person without a password and makes the one-time link with which they set one.',
  input: InviteUser,
  output: z.object({ userId: z.string(), link: OneTimeLink }),
  needsReauthentication: () => true,
  run: async ({ tx, ctx }, { groupIds, ...facts }) => {
    requirePasswordSignIn()
    const groups = await readGroups(tx, groupIds)
    const memberships = { create: groups.map(({ id }) => ({ groupId: id })) }
    const data = { ...facts, memberships }
    const { id: userId } = await tx.user.create({ data }).catch(explainTakenEmail)
    const link = await createAccountLink(tx, ctx, { userId, purpose: 'invite' })
    const { expiresAt } = link
    const after = { ...facts, groups: groups.map(({ name }) => name), expiresAt }
    return changed({ userId, link }, { subject: userId, after })
  },
})

async function readGroups(tx: Tx, ids: string[]): Promise<{ id: string; name: string }[]> {
  const groups = await tx.group.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  if (groups.length < ids.length) throw new NotFoundError('One of the groups')
  return groups
}

/** Returns false when there was none. */
export const revokeLink = verb({
  name: 'user.revoke-link',
  role: 'admin',
  scope: null,
  summary: 'Revokes the open one-time link of an account.',
  input: z.object({ userId: z.string() }),
  output: z.boolean(),
  run: async ({ tx }, { userId }) => {
    const { id, email } = await requireUser(tx, userId)
    const links = await revokeAccountLinks(tx, id)
    if (links === 0) return unchanged(false)
    return changed(true, { subject: id, before: { email, links } })
  },
})

/** Makes a link with which a person sets a password, once, within 7 days; earlier links of theirs stop working. */
export async function createAccountLink(
  tx: ChangeTx,
  ctx: Ctx,
  { userId, purpose }: { userId: string; purpose: 'invite' | 'reset' },
): Promise<OneTimeLink> {
  await revokeAccountLinks(tx, userId)
  // 256 random bits. Only the hash is kept.
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + lifetimeMs)
  const facts = { purpose, tokenHash: hashOf(token), createdByLabel: auditLabel(ctx), expiresAt }
  await tx.accountLink.create({ data: { userId, ...facts } })
  const address = new URL(`/invite/${token}`, env().TOOLGATE_URL).href
  return { purpose, token, address, expiresAt: expiresAt.toISOString() }
}

/** Hashes without salt or slowness: so many random bits need neither. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export type AccountLinkState =
  | { type: 'open'; purpose: 'invite' | 'reset'; email: string; name: string }
  | { type: 'used' | 'revoked' | 'expired' | 'unknown' }

/** Returns the state of a one-time link. Its holder may learn whose it is; nobody else can ask. */
export async function readAccountLink(token: string, now = new Date()): Promise<AccountLinkState> {
  const link = await db().accountLink.findUnique({
    where: { tokenHash: hashOf(token) },
    include: { user: true },
  })
  if (!link) return { type: 'unknown' }
  if (link.usedAt) return { type: 'used' }
  const { email, name, disabledAt, deletedAt } = link.user
  if (link.revokedAt || disabledAt || deletedAt) return { type: 'revoked' }
  if (link.expiresAt <= now) return { type: 'expired' }
  return { type: 'open', purpose: link.purpose, email, name }
}

/**
 * Sets the password of the account a one-time link belongs to and uses the link up; sessions that were open end. Of
 * several at once exactly one wins. Throws ForbiddenError when the link is used, revoked, expired or unknown.
 */
export async function acceptAccountLink(
  token: string,
  input: NewPassword,
  ipAddress: string | null = null,
): Promise<{ email: string }> {
  requirePasswordSignIn()
  const { password } = parseInput(NewPassword, input)
  // Rating and hashing are slow, so they are not done for a made-up token.
  const link = await readAccountLink(token)
  if (link.type !== 'open') throw doesNotWork()
  await requireStrongPassword(password, link)
  const passwordHash = await hashPassword(password)
  return makeChange(async (tx) => {
    const { user, purpose } = await useLink(tx, token)
    const { user: users } = allowNonPolicyWrite(tx, 'how a person signs in')
    await users.update({ where: { id: user.id }, data: { passwordHash } })
    await endSessions(tx, user.id)
    const { id, email, role } = user
    const by = { actor: { userId: id, email, role }, via: 'console', ipAddress } as const
    const action = purpose === 'invite' ? 'user.accept-invitation' : 'user.accept-reset'
    const [before, after] = [
      { email, signIn: 'none' },
      { email, signIn: 'password' },
    ]
    return { output: { email }, changes: [{ by, action, subject: id, before, after }] }
  })
}

/** Marks a link as used if it is open. The condition and the write are one statement, so a link works once. */
async function useLink(tx: ChangeTx, token: string): Promise<AccountLink & { user: User }> {
  const now = new Date()
  const tokenHash = hashOf(token)
  // Locks the account before its link, as a reset does, so that the two never deadlock.
  await tx.$executeRaw`
    SELECT u.id FROM users u JOIN account_links l ON l."userId" = u.id
    WHERE l."tokenHash" = ${tokenHash} FOR UPDATE OF u`
  const [link] = await tx.accountLink.updateManyAndReturn({
    where: {
      tokenHash,
      usedAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    data: { usedAt: now },
    include: { user: true },
  })
  // Thrown inside the transaction, so that the link of a disabled account stays unused.
  if (link && canStillSignIn(link.user)) return link
  throw doesNotWork()
}

function canStillSignIn({ disabledAt, deletedAt, oidcSubject }: User): boolean {
  return disabledAt === null && deletedAt === null && oidcSubject === null
}

function doesNotWork(): ForbiddenError {
  return new ForbiddenError('This link no longer works. Ask an admin for a new one.')
}
