import { db } from '../db'
import { verifyPassword } from './hash-password'
import { Email } from './schemas'

/** The id of the active account these credentials open, or null; both answers take the same time. */
export async function authenticate(email: string, password: string): Promise<string | null> {
  const address = Email.safeParse(email)
  const user = address.success
    ? await db().user.findFirst({
        where: { email: address.data, disabledAt: null, deletedAt: null },
        select: { id: true, passwordHash: true },
      })
    : null
  const matches = await verifyPassword(user?.passwordHash ?? null, password.slice(0, 1024))
  return user && matches ? user.id : null
}
