import { isUniqueViolation, type Tx, withTransaction } from '../../kernel/db'
import { ConflictError, ForbiddenError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { hashPassword } from './hash-password'
import { lockAdmins } from './lock-admins'
import { requireStrongPassword } from './password-strength'
import { FirstAdmin } from './schemas'
import { isSetupToken, SetupToken, setupTokenKey } from './setup-token'

/**
 * Creates the first admin with the token of the set-up link and uses the token up. Of several at once exactly one
 * wins; the others get ConflictError. A wrong or expired token is ForbiddenError.
 */
export async function completeSetup(
  token: string,
  input: FirstAdmin,
  ipAddress: string | null = null,
): Promise<{ userId: string }> {
  const { email, name, password } = parseInput(FirstAdmin, input)
  await withTransaction((tx) => checkToken(tx, token))
  await requireStrongPassword(password, { email, name })
  // Hashing is slow on purpose: not while the lock is held.
  const passwordHash = await hashPassword(password)
  try {
    return await withTransaction(async (tx) => {
      await lockAdmins(tx)
      await checkToken(tx, token)
      const user = await tx.user.create({ data: { email, name, role: 'admin', passwordHash } })
      await tx.setting.delete({ where: { key: setupTokenKey } })
      const actor = { userId: user.id, email, role: user.role }
      await recordAudit(
        tx,
        { actor, via: 'console', ipAddress },
        {
          action: 'user.create-first-admin',
          objectType: 'user',
          objectId: user.id,
          after: { email, name, role: 'admin' },
        },
      )
      return { userId: user.id }
    })
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ConflictError('This e-mail address already has an account.')
    throw error
  }
}

async function checkToken(tx: Tx, token: string): Promise<void> {
  // The token first: it goes with the transaction that adds the first admin, who is then found below.
  const row = await tx.setting.findUnique({ where: { key: setupTokenKey } })
  const admin = await tx.user.findFirst({ where: { role: 'admin', deletedAt: null } })
  if (admin) throw new ConflictError('Toolgate is already set up. Sign in instead.')
  if (row && isSetupToken(SetupToken.parse(row.value), token, new Date())) return
  throw new ForbiddenError(
    'This set-up link is no longer valid. Restart Toolgate to get a new one.',
  )
}
