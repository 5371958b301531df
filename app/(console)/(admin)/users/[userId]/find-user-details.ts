import { notFound } from 'next/navigation'
import { readUser, type UserDetails } from '@/lib/domains/users/reads'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'

/** Returns the account of the page's address; answers 404 when there is none. */
export async function findUserDetails(ctx: Ctx, userId: string): Promise<UserDetails> {
  try {
    return await readUser(ctx, userId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
