import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import type { UserListing } from './schemas'
import { listedUser, toUserListing } from './to-user-listing'

/** `linkExpiresAt`: an invitation or reset link is open until then, ISO text in UTC; null = there is none. */
export type UserDetails = UserListing & {
  oidcIssuer: string | null
  linkExpiresAt: string | null
}

/** One account with what its page shows: one's own, or as an admin anyone's. NotFoundError otherwise. */
export async function readUser(ctx: Ctx, userId: string): Promise<UserDetails> {
  const id = parseId(userId, 'The user')
  if (id !== ctx.actor.userId) requireRole(ctx, 'admin')
  const row = await db().user.findFirst({
    where: { id, deletedAt: null },
    include: {
      ...listedUser.include,
      links: { where: { usedAt: null, revokedAt: null, expiresAt: { gt: new Date() } } },
    },
  })
  if (!row) throw new NotFoundError('The user')
  return {
    ...toUserListing(row),
    oidcIssuer: row.oidcIssuer,
    linkExpiresAt: row.links.at(0)?.expiresAt.toISOString() ?? null,
  }
}

/** What an account that an address names is called in a filter. Admins only, but for one's own. */
export async function emailOf(ctx: Ctx, userId: string): Promise<string> {
  try {
    return (await readUser(ctx, userId)).email
  } catch (error) {
    if (error instanceof NotFoundError) return 'a deleted account'
    throw error
  }
}
