import { db } from '../db'
import { type HashCaller, verifyPassword } from './hash-password'
import { Email } from './schemas'

/** Whose password was right, and the hash that said so: whoever acts on it later asks whether it still holds. */
export type Verified = { userId: string; passwordHash: string }

/** The active account these credentials open, or null; both answers take the same time. */
export async function authenticate(
  email: string,
  password: string,
  caller: HashCaller = 'known',
): Promise<Verified | null> {
  const address = Email.safeParse(email)
  const user = address.success
    ? await db().user.findFirst({
        where: { email: address.data, disabledAt: null, deletedAt: null },
        select: { id: true, passwordHash: true },
      })
    : null
  const passwordHash = user?.passwordHash ?? null
  const matches = await verifyPassword(passwordHash, password.slice(0, 1024), caller)
  return user && passwordHash !== null && matches ? { userId: user.id, passwordHash } : null
}
