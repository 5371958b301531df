import { followMemberships, membershipChanges } from '../domains/groups/follow-memberships'
import { revokeAccess } from '../domains/users/access'
import { isLastAdmin, lockAdmins } from '../domains/users/admins'
import { admitProvidedUser, followRole } from '../domains/users/admit-provided-user'
import type { User } from '../generated/prisma/client'
import type { Ctx } from '../kernel/context'
import type { ChangeTx, PolicyTx } from '../kernel/db'
import { changePolicy, lockPolicyShared } from '../kernel/policy-lock'
import { type MadeChange, makeChange, type OtherChange } from '../kernel/verb'
import type { Role } from '../protocol/tool'
import type { OidcSettings } from './oidc'
import { type OidcIdentity, oidcIdentity } from './oidc'
import { openSession, type SignInOrigin } from './open-session'

/** Why a person of the identity provider is refused. The sign-in page shows it as a sentence. */
type OidcRefusal = 'no-role' | 'no-email' | 'email-taken' | 'disabled'

export type OidcSignIn =
  | { type: 'signed-in'; userId: string; sessionId: string }
  | { type: 'refused'; reason: OidcRefusal }

/**
 * Opens a session for the person in a checked ID token. Role and mapped groups are set from the provider each time. A
 * person without a group that gives a role is refused, and their account is disabled. Throws on invalid claims.
 */
export async function signInWithOidc(
  claims: unknown,
  settings: OidcSettings,
  origin: SignInOrigin,
): Promise<OidcSignIn> {
  const identity = oidcIdentity(claims, settings)
  const role = mappedRole(identity.groups, settings)
  const unchanged = role === null ? null : await signInUnchanged(identity, role, settings, origin)
  if (unchanged) return unchanged
  return makeChange((tx) => signInChanged(tx, { identity, role, settings, origin }), changePolicy)
}

type Entry = {
  identity: OidcIdentity
  role: Role | null
  settings: OidcSettings
  origin: SignInOrigin
}

async function signInChanged(
  tx: PolicyTx,
  { identity, role, settings, origin }: Entry,
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
  if (user.disabledAt) return refused('disabled')
  const ctx = ctxOf(user, origin)
  const before = [
    ...admission.changes,
    ...(await followRole(tx, ctx, user, role)),
    ...(await followMemberships(tx, ctx, user.id, mappedGroups(identity.groups, settings))),
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
function signInUnchanged(
  identity: OidcIdentity,
  role: Role,
  settings: OidcSettings,
  origin: SignInOrigin,
): Promise<OidcSignIn | null> {
  return makeChange<OidcSignIn | null>(async (tx) => {
    await lockPolicyShared(tx)
    const user = await tx.user.findFirst({
      where: {
        oidcIssuer: identity.issuer,
        oidcSubject: identity.subject,
        role,
        disabledAt: null,
        deletedAt: null,
      },
    })
    if (!user) return nothing
    const mapped = mappedGroups(identity.groups, settings)
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
  await tx.user.update({ where: { id: user.id }, data: { disabledAt } })
  const revoked = await revokeAccess(tx, user.id)
  const { email, role } = user
  const before = { email, role, disabled: user.disabledAt !== null }
  const after = { email, role, disabled: disabledAt !== null, ...revoked }
  const about = { action: 'user.refuse-without-group', subject: user.id } as const
  return [{ by: ctxOf(user, origin), ...about, before, after }]
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

/** Returns the names of our groups that the provider controls, and of those it puts this person into. */
export function mappedGroups(
  groups: ReadonlySet<string>,
  { groupMap }: Mapping,
): { decided: string[]; wanted: string[] } {
  const names = (pairs: readonly { ours: string }[]) => [...new Set(pairs.map(({ ours }) => ours))]
  return {
    decided: names(groupMap),
    wanted: names(groupMap.filter(({ theirs }) => groups.has(theirs))),
  }
}
