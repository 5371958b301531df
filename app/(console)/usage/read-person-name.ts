import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { readUser } from '@/lib/users/read-user'

/** The e-mail of the person in the address; null when nobody is, or the account is gone. */
export async function readPersonName(ctx: Ctx, userId: string | undefined): Promise<string | null> {
  if (userId === undefined) return null
  try {
    return (await readUser(ctx, userId)).email
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
