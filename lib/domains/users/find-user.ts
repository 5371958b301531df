import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { Email } from './schemas'

/** The account with this e-mail address, disabled ones too. NotFoundError when there is none. Admins only. */
export async function findUser(ctx: Ctx, email: string): Promise<{ id: string; email: string }> {
  requireRole(ctx, 'admin')
  const address = Email.safeParse(email)
  const row = address.success
    ? await db().user.findFirst({
        where: { email: address.data, deletedAt: null },
        select: { id: true, email: true },
      })
    : null
  if (!row) throw new NotFoundError('An account with this e-mail address')
  return row
}
