import { type Ctx, requireRole } from '../../kernel/context'
import { db, withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { endSessions } from './end-sessions'
import { hashPassword } from './hash-password'
import { NewPassword } from './new-password'
import { requireStrongPassword } from './password-strength'
import { revokeAccountLinks } from './revoke-account-links'
import { revokeApiKeys } from './revoke-api-keys'
import { signInWayOf } from './to-user-listing'

/**
 * Gives an account this password; its sessions, API keys and links end. For the terminal, where someone locked out has no other
 * way; the console gives links instead, so that no admin knows another's password. Not for accounts of the identity
 * provider. Admins only.
 */
export async function setPassword(ctx: Ctx, userId: string, input: NewPassword): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(userId, 'The user')
  const { password } = parseInput(NewPassword, input)
  const owner = await db().user.findFirst({ where: { id, deletedAt: null } })
  if (!owner) throw new NotFoundError('The user')
  await requireStrongPassword(password, owner)
  const passwordHash = await hashPassword(password)
  await withTransaction(async (tx) => {
    const user = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!user) throw new NotFoundError('The user')
    const way = signInWayOf(user)
    if (way === 'identity-provider') {
      throw new ConflictError(
        'This account signs in through the identity provider. Reset the password there.',
      )
    }
    await tx.user.update({ where: { id }, data: { passwordHash } })
    const sessionsEnded = await endSessions(tx, id)
    const keysRevoked = await revokeApiKeys(tx, id)
    await revokeAccountLinks(tx, id)
    await recordAudit(tx, ctx, {
      action: 'user.set-sign-in',
      objectType: 'user',
      objectId: id,
      before: { signIn: way },
      after: { signIn: 'password', email: user.email, sessionsEnded, keysRevoked },
    })
  })
}
