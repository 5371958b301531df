import type { User } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import type { Role } from '../../protocol/tool'
import { recordAudit } from '../audit/record-audit'
import { limitApiKeys, removeSecondFactors, revokeAccess } from './access'
import { isLastAdmin } from './admins'

/** A person whom the identity provider authenticated; `email` is proved to be theirs only when `emailVerified`. */
export type ProvidedUser = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string
  role: Role
}

type Admission =
  | { type: 'admitted'; user: User }
  | { type: 'refused'; reason: 'no-email' | 'email-taken' }

/**
 * Returns the account of this person, who is identified by issuer and subject alone. Creates it at the first sign-in.
 * Where `linkByEmail` allows it and the address is verified, links the account with this address instead, and revokes
 * its password, sessions and API keys. Call it while a lock on the person is held.
 */
export async function admitProvidedUser(
  tx: Tx,
  person: ProvidedUser,
  { linkByEmail, ipAddress }: { linkByEmail: boolean; ipAddress: string | null },
): Promise<Admission> {
  const { issuer, subject, email } = person
  const known = await tx.user.findFirst({
    where: { oidcIssuer: issuer, oidcSubject: subject, deletedAt: null },
  })
  if (known) return { type: 'admitted', user: known }
  if (email === null) return { type: 'refused', reason: 'no-email' }
  const holder = await tx.user.findUnique({ where: { email } })
  if (!holder) return { type: 'admitted', user: await create(tx, { ...person, email }, ipAddress) }
  const isFree = holder.oidcSubject === null && holder.disabledAt === null
  const mayLink = linkByEmail && person.emailVerified && isFree
  if (!mayLink) return { type: 'refused', reason: 'email-taken' }
  return { type: 'admitted', user: await link(tx, holder, person, ipAddress) }
}

async function create(
  tx: Tx,
  { issuer, subject, email, name, role }: ProvidedUser & { email: string },
  ipAddress: string | null,
): Promise<User> {
  const user = await tx.user.create({
    data: { email, name, role, oidcIssuer: issuer, oidcSubject: subject },
  })
  await recordAudit(tx, ctxOf(user, ipAddress), {
    action: 'user.create-from-provider',
    objectType: 'user',
    objectId: user.id,
    after: { email, name, role, issuer, subject },
  })
  return user
}

async function link(
  tx: Tx,
  holder: User,
  { issuer, subject }: ProvidedUser,
  ipAddress: string | null,
): Promise<User> {
  const user = await tx.user.update({
    where: { id: holder.id },
    data: { oidcIssuer: issuer, oidcSubject: subject, passwordHash: null },
  })
  // The provider asks for a second factor from now on.
  const revoked = {
    ...(await revokeAccess(tx, user.id)),
    ...(await removeSecondFactors(tx, user.id)),
  }
  await recordAudit(tx, ctxOf(user, ipAddress), {
    action: 'user.link-to-provider',
    objectType: 'user',
    objectId: user.id,
    before: { issuer: null, subject: null },
    after: { issuer, subject, ...revoked },
  })
  return user
}

function ctxOf({ id, email, role }: User, ipAddress: string | null): Ctx {
  return { actor: { userId: id, email, role }, via: 'console', ipAddress }
}

/**
 * Gives an account the role the identity provider says; the last active admin stays one (SPEC A3). Their API keys
 * lose the scopes the role does not have. Needs to be part of a policy change and `lockAdmins`.
 */
export async function followRole(tx: Tx, ctx: Ctx, user: User, role: Role): Promise<void> {
  if (user.role === role) return
  if (role !== 'admin' && (await isLastAdmin(tx, user))) return
  await tx.user.update({ where: { id: user.id }, data: { role } })
  await limitApiKeys(tx, ctx, user.id, { before: user.role, after: role })
  await recordAudit(tx, ctx, {
    action: 'user.follow-provider-role',
    objectType: 'user',
    objectId: user.id,
    before: { email: user.email, role: user.role },
    after: { email: user.email, role },
  })
}
