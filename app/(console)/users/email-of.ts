import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { readUser } from '@/lib/users/read-user'

/** What an account that an address names is called in a filter. Admins only, but for one's own. */
export async function emailOf(ctx: Ctx, userId: string): Promise<string> {
  try {
    return (await readUser(ctx, userId)).email
  } catch (error) {
    if (error instanceof NotFoundError) return 'a deleted account'
    throw error
  }
}
