import { z } from 'zod'
import { changed, verb } from '@/lib/edge/verb'
import type { User } from '@/lib/generated/prisma/client'
import { allowNonPolicyWrite } from '@/lib/kernel/db'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { Name } from '@/lib/shape/identifier'
import { limitApiKeys, removeSecondFactors, revokeAccess } from './access'
import { lockAdmins, requireAnotherAdmin, requireNotOneself } from './admins'
import { hashPassword, requireStrongPassword } from './passwords'
import { CreateUser, UpdateUser } from './schemas'
import { explainTakenEmail, requireUser } from './user-rows'

/** Throws ConflictError when the address has an account. */
export const createUser = verb({
  name: 'user.create',
  role: 'admin',
  scope: null,
  summary: 'Adds a person who can sign in with this password.',
  input: CreateUser,
  output: z.object({ userId: z.string() }),
  needsReauthentication: () => true,
  transaction: 'later',
  run: async ({ change }, { password, ...facts }) => {
    await requireStrongPassword(password, facts)
    // Hashing is slow on purpose, so it is done outside of the transaction.
    const passwordHash = await hashPassword(password)
    return change(async (tx) => {
      const data = { ...facts, passwordHash }
      const { id: userId } = await tx.user.create({ data }).catch(explainTakenEmail)
      return changed({ userId }, { subject: userId, after: facts })
    })
  },
})

/**
 * Updates an account. Once it resolves, no call that the change forbids starts (SPEC G-F). A disabled person loses
 * sessions, API keys and links for good; a demoted one loses the scopes of their keys that only admins have. The last
 * active admin can be neither demoted nor disabled, even by two people at once (SPEC A3). In the console nobody does
 * that to themselves. Enabling ends a suspension, after which keys and schedules work again.
 */
export const updateUser = verb({
  name: 'user.update',
  mayEndApproval: ({ role, disabled }) => role !== undefined || disabled !== undefined,
  role: 'admin',
  scope: null,
  summary: 'Changes the name or the role of an account, or disables it.',
  reason: 'optional',
  input: UpdateUser,
  needsReauthentication: ({ role, disabled }) => role !== undefined || disabled !== undefined,
  audits: ['user.update', 'api-key.revoke', 'api-key.remove-scopes'],
  transaction: changePolicy,
  run: async ({ tx, ctx }, { userId, ...change }) => {
    await lockAdmins(tx)
    const before = await requireUser(tx, userId)
    const { id, email } = before
    const after = {
      name: change.name ?? before.name,
      role: change.role ?? before.role,
      ...stateAfter(before, change.disabled),
    }
    const staysAdmin = after.role === 'admin' && after.disabledAt === null
    if (!staysAdmin) {
      await requireAnotherAdmin(tx, before)
      requireNotOneself(ctx, id, 'Ask another admin to demote or disable it.')
    }
    await tx.user.update({ where: { id }, data: after })
    const revoked = isDisabledForGood(after) ? await revokeAccess(tx, id) : {}
    const isOther = after.role !== before.role
    const roles = { before: before.role, after: after.role }
    const keys = isOther ? await limitApiKeys(tx, id, roles) : []
    return changed(undefined, ...keys, {
      subject: id,
      before: audited(before),
      after: { ...audited({ ...after, email }), ...revoked },
    })
  },
})

type State = Pick<User, 'disabledAt' | 'suspendedFor'>

/** Returns the audited fields of an account; the e-mail address says whose it was. */
function audited(user: Pick<User, 'email' | 'name' | 'role'> & State) {
  const { email, name, role } = user
  const suspended = user.suspendedFor !== null && { suspended: true }
  return { email, name, role, disabled: isDisabledForGood(user), ...suspended }
}

function isDisabledForGood({ disabledAt, suspendedFor }: State): boolean {
  return disabledAt !== null && suspendedFor === null
}

/** Returns the state that an account gets. Both ways end a suspension. */
function stateAfter({ disabledAt, suspendedFor }: User, disabled: boolean | undefined): State {
  if (disabled === undefined) return { disabledAt, suspendedFor }
  return { disabledAt: disabled ? (disabledAt ?? new Date()) : null, suspendedFor: null }
}

export const renameOneself = verb({
  name: 'user.rename-oneself',
  role: 'member',
  scope: null,
  summary: 'Changes the name that others see of oneself.',
  input: z.object({ name: Name }),
  run: async ({ tx, actor }, { name }) => {
    const { id, email, name: before } = await requireUser(tx, actor.userId)
    await allowNonPolicyWrite(tx, 'a name').user.update({ where: { id }, data: { name } })
    return changed(undefined, {
      subject: id,
      before: { email, name: before },
      after: { email, name },
    })
  },
})

/**
 * Deletes an account for good: its sessions, keys and links end, and no call of its runs starts any more (SPEC G-F).
 * Its address is free for a new account. Refused for the last admin, and in the console for oneself.
 */
export const deleteUser = verb({
  name: 'user.delete',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Marks an account deleted; its runs stay, and its memory is deleted.',
  reason: 'optional',
  input: z.object({ userId: z.string() }),
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: async ({ tx, ctx }, { userId }) => {
    await lockAdmins(tx)
    const before = await requireUser(tx, userId)
    const { id, email, name, role } = before
    await requireAnotherAdmin(tx, before)
    requireNotOneself(ctx, id, 'Ask another admin to delete it.')
    await tx.user.update({
      where: { id },
      data: {
        deletedAt: new Date(),
        // The address and the person at the identity provider may come back as a new account.
        email: `${email} (deleted ${id})`,
        oidcIssuer: null,
        oidcSubject: null,
        passwordHash: null,
      },
    })
    await revokeAccess(tx, id)
    await removeSecondFactors(tx, id)
    await tx.memoryNote.deleteMany({ where: { userId: id } })
    await tx.keptTrial.deleteMany({ where: { userId: id } })
    return changed(undefined, { subject: id, before: { email, name, role } })
  },
})
