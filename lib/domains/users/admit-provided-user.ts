import type { OtherChange } from '@/lib/edge/verb'
import type { User } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { PolicyTx } from '@/lib/kernel/db'
import type { Role } from '@/lib/protocol/tool'
import { limitApiKeys, removeSecondFactors, revokeAccess } from './access'
import { isLastAdmin } from './admins'
import { signInWayOf } from './user-rows'

/** A person whom the identity provider authenticated; `email` is proved to be theirs only when `emailVerified`. */
export type ProvidedUser = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  hasUnusableEmail: boolean
  name: string
  role: Role
}

type Admission =
  | { type: 'admitted'; user: User; changes: OtherChange[] }
  | { type: 'refused'; reason: 'no-email' | 'bad-email' | 'email-taken' | 'invited' }

/**
 * Returns the account of this person, who is identified by issuer and subject alone. Creates it at the first sign-in.
 * Where `linkByEmail` allows it and the address is verified, links the account with this address instead, and revokes
 * its password, sessions and API keys. Call it while a lock on the person is held.
 */
export async function admitProvidedUser(
  tx: PolicyTx,
  person: ProvidedUser,
  { linkByEmail, ipAddress }: { linkByEmail: boolean; ipAddress: string | null },
): Promise<Admission> {
  const { issuer, subject, email } = person
  const known = await tx.user.findFirst({
    where: { oidcIssuer: issuer, oidcSubject: subject, deletedAt: null },
  })
  if (known) return { type: 'admitted', ...(await followEmail(tx, known, person, ipAddress)) }
  if (email === null)
    return { type: 'refused', reason: person.hasUnusableEmail ? 'bad-email' : 'no-email' }
  const holder = await tx.user.findUnique({ where: { email } })
  if (!holder) return create(tx, { ...person, email }, ipAddress)
  const isFree = holder.oidcSubject === null && holder.disabledAt === null
  const mayLink = linkByEmail && person.emailVerified && isFree
  if (mayLink) return link(tx, holder, person, ipAddress)
  const isInvited = isFree && signInWayOf(holder) === 'none'
  return { type: 'refused', reason: isInvited ? 'invited' : 'email-taken' }
}

/**
 * Gives an account the address that the provider verified for its person, unless another account has it; a disabled one keeps its
 * own. What else is known of the account goes on to belong to it: nobody gets anything with the address that it had.
 */
async function followEmail(
  tx: PolicyTx,
  known: User,
  { email, emailVerified }: ProvidedUser,
  ipAddress: string | null,
): Promise<{ user: User; changes: OtherChange[] }> {
  const { id, disabledAt, suspendedFor } = known
  const isOut = disabledAt !== null && suspendedFor === null
  if (email === null || !emailVerified || email === known.email || isOut)
    return { user: known, changes: [] }
  if (await tx.user.findUnique({ where: { email } })) return { user: known, changes: [] }
  const user = await tx.user.update({ where: { id }, data: { email } })
  const change = {
    by: ctxOf(user, ipAddress),
    action: 'user.follow-provider-email',
    subject: id,
    before: { email: known.email },
    after: { email },
  } as const
  return { user, changes: [change] }
}

async function create(
  tx: PolicyTx,
  { issuer, subject, email, name, role }: ProvidedUser & { email: string },
  ipAddress: string | null,
): Promise<Admission> {
  const user = await tx.user.create({
    data: { email, name, role, oidcIssuer: issuer, oidcSubject: subject },
  })
  const about = { action: 'user.create-from-provider', subject: user.id } as const
  const after = { email, name, role, issuer, subject }
  return { type: 'admitted', user, changes: [{ by: ctxOf(user, ipAddress), ...about, after }] }
}

async function link(
  tx: PolicyTx,
  holder: User,
  { issuer, subject }: ProvidedUser,
  ipAddress: string | null,
): Promise<Admission> {
  const user = await tx.user.update({
    where: { id: holder.id },
    data: { oidcIssuer: issuer, oidcSubject: subject, passwordHash: null },
  })
  // The provider asks for a second factor from now on.
  const revoked = {
    ...(await revokeAccess(tx, user.id)),
    ...(await removeSecondFactors(tx, user.id)),
  }
  const change = {
    by: ctxOf(user, ipAddress),
    action: 'user.link-to-provider',
    subject: user.id,
    before: { issuer: null, subject: null },
    after: { issuer, subject, ...revoked },
  } as const
  return { type: 'admitted', user, changes: [change] }
}

function ctxOf({ id, email, role }: User, ipAddress: string | null): Ctx {
  return { actor: { userId: id, email, role }, via: 'console', ipAddress }
}

/**
 * Gives an account the role the identity provider says; the last active admin stays one (SPEC A3). Their API keys
 * lose the scopes the role does not have. Needs to be part of a policy change and `lockAdmins`.
 */
export async function followRole(
  tx: PolicyTx,
  by: Ctx,
  user: User,
  role: Role,
): Promise<OtherChange[]> {
  if (user.role === role) return []
  if (role !== 'admin' && (await isLastAdmin(tx, user))) return []
  await tx.user.update({ where: { id: user.id }, data: { role } })
  const keys = await limitApiKeys(tx, user.id, { before: user.role, after: role })
  const followed = {
    action: 'user.follow-provider-role',
    subject: user.id,
    before: { email: user.email, role: user.role },
    after: { email: user.email, role },
  } as const
  return [...keys, followed].map((change) => ({ by, ...change }))
}
