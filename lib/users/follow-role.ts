import { recordAudit } from '../audit/record-audit'
import type { Ctx } from '../context'
import type { Tx } from '../db'
import type { User } from '../generated/prisma/client'
import type { Role } from '../protocol/tool'
import { limitApiKeys } from './limit-api-keys'
import { isLastAdmin } from './require-another-admin'

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
