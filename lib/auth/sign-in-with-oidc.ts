import { followMemberships, membershipChanges } from '@/lib/domains/groups/follow-memberships'
import { revokeAccess, suspend } from '@/lib/domains/users/access'
import { isLastAdmin, lockAdmins } from '@/lib/domains/users/admins'
import { admitProvidedUser, followRole } from '@/lib/domains/users/admit-provided-user'
import { type MadeChange, makeChange, type OtherChange } from '@/lib/edge/verb'
import type { User } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { ChangeTx, PolicyTx } from '@/lib/kernel/db'
import { changePolicy, lockPolicyShared } from '@/lib/kernel/policy-lock'
import type { Role } from '@/lib/protocol/tool'
import type { OidcSettings, UnreadGroups } from './oidc'
import { type OidcIdentity, oidcIdentity } from './oidc'
import { openSession, type SignInOrigin } from './open-session'

/** Why a person of the identity provider is refused. The sign-in page shows it as a sentence. */
type OidcRefusal =
  | 'no-role'
  | 'no-email'
  | 'bad-email'
  | 'email-taken'
  | 'invited'
  | 'disabled'
  | UnreadGroups

export type OidcSignIn =
  | { type: 'signed-in'; userId: string; sessionId: string }
  | { type: 'refused'; reason: OidcRefusal }

/**
 * Opens a session for the person in a checked ID token. Role and mapped groups are set from the provider each time, if it sent a
 * list of groups (SPEC A10). A person without a group that gives a role is refused, and their account is disabled. Without the claim,
 * the account is suspended until it comes or an admin enables it; a claim that cannot be read changes nothing. Throws on invalid
 * claims.
 */
export async function signInWithOidc(
  claims: unknown,
  settings: OidcSettings,
  origin: SignInOrigin,
): Promise<OidcSignIn> {
  const identity = oidcIdentity(claims, settings)
  const { groups } = identity
  if (groups === 'groups-absent')
    return makeChange((tx) => refuseSuspended(tx, identity, settings, origin), changePolicy)
  if (typeof groups === 'string') return { type: 'refused', reason: groups }
  const role = mappedRole(groups, settings)
  const mapped = mappedGroups(groups, settings)
  const entry = { identity, role, mapped, settings, origin }
  const unchanged = role === null ? null : await signInUnchanged({ ...entry, role })
  return unchanged ?? makeChange((tx) => signInChanged(tx, entry), changePolicy)
}

type Entry = {
  identity: OidcIdentity
  role: Role | null
  mapped: MappedGroups
  settings: OidcSettings
  origin: SignInOrigin
}

async function signInChanged(
  tx: PolicyTx,
  { identity, role, mapped, settings, origin }: Entry,
): Promise<MadeChange<OidcSignIn>> {
  await lockAdmins(tx)
  if (role === null) {
    return refused('no-role', await shutOut(tx, identity, origin))
  }
  const { linkByEmail } = settings
  const admission = await admitProvidedUser(
    tx,
    { ...identity, role },
    { linkByEmail, ipAddress: origin.ipAddress },
  )
  if (admission.type === 'refused') return refused(admission.reason)
  const { user } = admission
  if (user.disabledAt && user.suspendedFor === null) return refused('disabled')
  const ctx = ctxOf(user, origin)
  const before = [
    ...admission.changes,
    ...(await liftSuspension(tx, ctx, user)),
    ...(await followRole(tx, ctx, user, role)),
    ...(await followMemberships(tx, ctx, user.id, mapped)),
  ]
  const { output, changes } = await enter(tx, user, identity, origin)
  return { output, changes: [...before, ...changes] }
}

function refused(reason: OidcRefusal, changes: OtherChange[] = []): MadeChange<OidcSignIn> {
  return { output: { type: 'refused', reason }, changes }
}

async function enter(
  tx: ChangeTx,
  user: User,
  { authenticatedAt }: OidcIdentity,
  origin: SignInOrigin,
): Promise<MadeChange<OidcSignIn>> {
  const proof = { by: 'identity-provider' as const, userId: user.id, authenticatedAt }
  const session = await openSession(tx, proof, origin)
  if (!session) return refused('disabled')
  return { ...session, output: { type: 'signed-in', ...session.output } }
}

/**
 * Signs in a person whose facts did not change, without a policy change, after which every process would check all its
 * runs. Returns null when anything differs.
 */
function signInUnchanged({
  identity,
  role,
  mapped,
  origin,
}: Entry & { role: Role }): Promise<OidcSignIn | null> {
  return makeChange<OidcSignIn | null>(async (tx) => {
    await lockPolicyShared(tx)
    const user = await tx.user.findFirst({
      where: {
        oidcIssuer: identity.issuer,
        oidcSubject: identity.subject,
        ...(identity.email !== null && identity.emailVerified && { email: identity.email }),
        role,
        disabledAt: null,
        deletedAt: null,
      },
    })
    if (!user) return nothing
    const { joins, leaves } = await membershipChanges(tx, user.id, mapped)
    return joins.length + leaves.length === 0 ? enter(tx, user, identity, origin) : nothing
  })
}

const nothing = { output: null, changes: [] }

/**
 * Disables an account for which the provider no longer vouches, and ends its sessions, keys and runs. Only an admin can
 * enable it again. The last admin stays enabled (SPEC A3), and can sign in again when the provider allows it.
 */
async function shutOut(
  tx: PolicyTx,
  identity: OidcIdentity,
  origin: SignInOrigin,
): Promise<OtherChange[]> {
  const user = await tx.user.findFirst({
    where: { oidcIssuer: identity.issuer, oidcSubject: identity.subject, deletedAt: null },
  })
  if (!user) return []
  const disabledAt = (await isLastAdmin(tx, user)) ? null : (user.disabledAt ?? new Date())
  await tx.user.update({ where: { id: user.id }, data: { disabledAt, suspendedFor: null } })
  const revoked = await revokeAccess(tx, user.id)
  const { email, role } = user
  const before = { email, role, disabled: user.disabledAt !== null && user.suspendedFor === null }
  const after = { email, role, disabled: disabledAt !== null, ...revoked }
  const about = { action: 'user.refuse-without-group', subject: user.id } as const
  return [{ by: ctxOf(user, origin), ...about, before, after }]
}

/**
 * Suspends the account of a person about whose groups the provider said nothing: that takes nothing away for good. The last admin is
 * only refused, and so is somebody whose account is disabled or suspended already.
 */
async function refuseSuspended(
  tx: PolicyTx,
  { issuer, subject }: OidcIdentity,
  { name, groupsClaim }: OidcSettings,
  origin: SignInOrigin,
): Promise<MadeChange<OidcSignIn>> {
  await lockAdmins(tx)
  const user = await tx.user.findFirst({
    where: { oidcIssuer: issuer, oidcSubject: subject, disabledAt: null, deletedAt: null },
  })
  if (!user || (await isLastAdmin(tx, user))) return refused('groups-absent')
  const why = `${name} sent no list of groups (claim "${groupsClaim}") at a sign-in.`
  const { email, role } = user
  const before = { email, role, suspended: false }
  const after = { email, role, suspended: true, ...(await suspend(tx, user.id, why)) }
  const about = { action: 'user.suspend', subject: user.id, reason: why } as const
  return refused('groups-absent', [{ by: ctxOf(user, origin), ...about, before, after }])
}

/** Enables a suspended account again: the provider sent the groups of its person. */
async function liftSuspension(tx: PolicyTx, by: Ctx, user: User): Promise<OtherChange[]> {
  const { id, email, suspendedFor } = user
  if (suspendedFor === null) return []
  await tx.user.update({ where: { id }, data: { disabledAt: null, suspendedFor: null } })
  const [before, after] = [
    { email, suspended: true },
    { email, suspended: false },
  ]
  return [{ by, action: 'user.lift-suspension', subject: id, before, after }]
}

function ctxOf({ id, email, role }: User, { ipAddress }: SignInOrigin): Ctx {
  return { actor: { userId: id, email, role }, via: 'console', ipAddress }
}

type Mapping = Pick<OidcSettings, 'adminGroups' | 'memberGroups' | 'groupMap'>

/** Returns the role that their groups give; null = none of the groups may use Toolgate. Admin wins. */
export function mappedRole(groups: ReadonlySet<string>, mapping: Mapping): Role | null {
  if (mapping.adminGroups.some((name) => groups.has(name))) return 'admin'
  return mapping.memberGroups.some((name) => groups.has(name)) ? 'member' : null
}

type MappedGroups = { decided: string[]; wanted: string[] }

/** Returns the names of our groups that the provider controls, and of those it puts this person into. */
export function mappedGroups(groups: ReadonlySet<string>, { groupMap }: Mapping): MappedGroups {
  const names = (pairs: readonly { ours: string }[]) => [...new Set(pairs.map(({ ours }) => ours))]
  return {
    decided: names(groupMap),
    wanted: names(groupMap.filter(({ theirs }) => groups.has(theirs))),
  }
}
