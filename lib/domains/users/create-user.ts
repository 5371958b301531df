import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, withTransaction } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { hashPassword } from './hash-password'
import { requireStrongPassword } from './password-strength'
import { CreateUser } from './schemas'

/** Adds a person who can sign in with this password. ConflictError when the address has an account. Admins only. */
export async function createUser(ctx: Ctx, input: CreateUser): Promise<{ userId: string }> {
  requireRole(ctx, 'admin')
  const { email, name, role, password } = parseInput(CreateUser, input)
  await requireStrongPassword(password, { email, name })
  const passwordHash = await hashPassword(password)
  try {
    return await withTransaction(async (tx) => {
      const user = await tx.user.create({ data: { email, name, role, passwordHash } })
      await recordAudit(tx, ctx, {
        action: 'user.create',
        objectType: 'user',
        objectId: user.id,
        after: { email, name, role },
      })
      return { userId: user.id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new ConflictError('This e-mail address already has an account.')
    }
    throw error
  }
}
