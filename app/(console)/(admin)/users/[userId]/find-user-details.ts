import { notFound } from 'next/navigation'
import { readUser, type UserDetails } from '@/lib/domains/users/reads'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'

/** The account an address names; an address that names none gets the "nothing here" page with status 404. */
export async function findUserDetails(ctx: Ctx, userId: string): Promise<UserDetails> {
  try {
    return await readUser(ctx, userId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
