import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, type Tx, withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { createAccountLink } from './create-account-link'
import { requirePasswordSignIn } from './require-password-sign-in'
import { InviteUser, type OneTimeLink } from './schemas'

/**
 * Adds a person without a password, in these groups, and gives the one-time link with which they set one. The link is
 * shown this once. ConflictError when the address has an account. Admins only.
 */
export async function inviteUser(
  ctx: Ctx,
  input: InviteUser,
): Promise<{ userId: string; link: OneTimeLink }> {
  requireRole(ctx, 'admin')
  requirePasswordSignIn()
  const { groupIds, ...facts } = parseInput(InviteUser, input)
  try {
    return await withTransaction(async (tx) => {
      const groups = await readGroups(tx, groupIds)
      const memberships = { create: groups.map(({ id }) => ({ groupId: id })) }
      const user = await tx.user.create({ data: { ...facts, memberships } })
      const link = await createAccountLink(tx, ctx, { userId: user.id, purpose: 'invite' })
      await recordAudit(tx, ctx, {
        action: 'user.invite',
        objectType: 'user',
        objectId: user.id,
        after: { ...facts, groups: groups.map(({ name }) => name), expiresAt: link.expiresAt },
      })
      return { userId: user.id, link }
    })
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new ConflictError('This e-mail address already has an account.')
    }
    throw error
  }
}

async function readGroups(tx: Tx, ids: string[]): Promise<{ id: string; name: string }[]> {
  const groups = await tx.group.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  if (groups.length < ids.length) throw new NotFoundError('One of the groups')
  return groups
}
