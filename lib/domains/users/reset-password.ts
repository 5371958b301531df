import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { createAccountLink } from './create-account-link'
import { endSessions } from './end-sessions'
import { lockAdmins } from './lock-admins'
import { requireAnotherAdmin } from './require-another-admin'
import { requireNotOneself } from './require-not-oneself'
import { requirePasswordSignIn } from './require-password-sign-in'
import { revokeApiKeys } from './revoke-api-keys'
import type { OneTimeLink } from './schemas'
import { signInWayOf } from './to-user-listing'

/**
 * Takes the password away, ends all sessions and API keys and gives a one-time link with which the person sets a new one; to
 * whoever never had one it is a fresh invitation. The link is shown this once. Not for disabled accounts, those of the
 * identity provider, one's own or the last active admin's (SPEC A3); a terminal may reset that one. Admins only.
 */
export async function resetPassword(
  ctx: Ctx,
  userId: string,
  input: WithReason = {},
): Promise<OneTimeLink> {
  requireRole(ctx, 'admin')
  requirePasswordSignIn()
  const id = parseId(userId, 'The user')
  const { reason } = parseInput(WithReason, input)
  requireNotOneself(ctx, id, 'Change your own password on your account page.')
  return withTransaction(async (tx) => {
    await lockAdmins(tx)
    const user = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!user) throw new NotFoundError('The user')
    if (user.disabledAt) throw new ConflictError('This account is disabled. Enable it first.')
    const way = signInWayOf(user)
    if (way === 'identity-provider') {
      throw new ConflictError(
        'This account signs in through the identity provider. Reset the password there.',
      )
    }
    // Whoever sits at a terminal on the server hands the link to the only admin on purpose.
    if (ctx.via !== 'cli') await requireAnotherAdmin(tx, user)
    await tx.user.update({ where: { id }, data: { passwordHash: null } })
    const sessionsEnded = await endSessions(tx, id)
    const keysRevoked = await revokeApiKeys(tx, id)
    const purpose = way === 'none' ? 'invite' : 'reset'
    const link = await createAccountLink(tx, ctx, { userId: id, purpose })
    await recordAudit(tx, ctx, {
      action: purpose === 'invite' ? 'user.invite-again' : 'user.reset-sign-in',
      objectType: 'user',
      objectId: id,
      before: { signIn: way },
      after: {
        signIn: 'none',
        email: user.email,
        sessionsEnded,
        keysRevoked,
        expiresAt: link.expiresAt,
      },
      reason,
    })
    return link
  })
}
