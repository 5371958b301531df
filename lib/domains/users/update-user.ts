import { z } from 'zod'
import type { User } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { limitApiKeys } from './limit-api-keys'
import { lockAdmins } from './lock-admins'
import { requireAnotherAdmin } from './require-another-admin'
import { requireNotOneself } from './require-not-oneself'
import { revokeAccess } from './revoke-access'
import { PersonName, UpdateUser } from './schemas'

/**
 * Changes name, role or whether the account is disabled; once this resolves, no call that the
 * change forbids starts (SPEC G-F). Who is disabled loses sessions, API keys and links for good; who is demoted loses the
 * scopes of their keys that only admins have. The last active admin
 * can be neither demoted nor disabled, not even by two at once (SPEC A3); in the console nobody does that to
 * themselves. Admins only.
 */
export async function updateUser(ctx: Ctx, userId: string, input: UpdateUser): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(userId, 'The user')
  const { reason, ...change } = parseInput(UpdateUser, input)
  await changePolicy(async (tx) => {
    await lockAdmins(tx)
    const before = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!before) throw new NotFoundError('The user')
    const after = {
      name: change.name ?? before.name,
      role: change.role ?? before.role,
      disabledAt: disabledAt(before, change.disabled),
    }
    const staysAdmin = after.role === 'admin' && after.disabledAt === null
    if (!staysAdmin) {
      await requireAnotherAdmin(tx, before)
      requireNotOneself(ctx, id, 'Ask another admin to demote or disable it.')
    }
    await tx.user.update({ where: { id }, data: after })
    const revoked = after.disabledAt ? await revokeAccess(tx, id) : {}
    if (after.role !== before.role) {
      await limitApiKeys(tx, ctx, id, { before: before.role, after: after.role })
    }
    await recordAudit(tx, ctx, {
      action: 'user.update',
      objectType: 'user',
      objectId: id,
      before: audited(before),
      after: { ...audited({ ...after, email: before.email }), ...revoked },
      reason,
    })
  })
}

/** The e-mail address says whose it was. */
function audited(user: Pick<User, 'email' | 'name' | 'role' | 'disabledAt'>) {
  const { email, name, role } = user
  return { email, name, role, disabled: user.disabledAt !== null }
}

function disabledAt(user: User, disabled: boolean | undefined): Date | null {
  if (disabled === undefined) return user.disabledAt
  return disabled ? (user.disabledAt ?? new Date()) : null
}

export const OwnName = z.object({ name: PersonName })
type OwnName = z.input<typeof OwnName>

/** Changes the name others see of oneself. */
export async function renameOneself(ctx: Ctx, input: OwnName): Promise<void> {
  requireRole(ctx, 'member')
  const { name } = parseInput(OwnName, input)
  const id = ctx.actor.userId
  await withTransaction(async (tx) => {
    const before = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!before) throw new NotFoundError('The user')
    await tx.user.update({ where: { id }, data: { name } })
    await recordAudit(tx, ctx, {
      action: 'user.rename-oneself',
      objectType: 'user',
      objectId: id,
      before: { email: before.email, name: before.name },
      after: { email: before.email, name },
    })
  })
}
