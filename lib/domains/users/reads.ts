import { z } from 'zod'
import { sessionIdleMs } from '@/lib/auth/load-session'
import { verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import { countActiveRuns } from './access'
import type { UserListing, UserSortKey } from './schemas'
import { Email, type SessionListing, UserFilter } from './schemas'
import { listedUser, toUserListing, whereState } from './user-rows'

/** Returns the account with this e-mail address, a disabled one too. Throws NotFoundError. Admins only. */
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

/** Returns every account that is not deleted, disabled ones too, by e-mail address. Admins only. */
export async function listUsers(ctx: Ctx): Promise<UserListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().user.findMany({
    where: { deletedAt: null },
    ...listedUser,
    orderBy: { email: 'asc' },
  })
  return rows.map(toUserListing)
}

/** Returns one page of the accounts that fit, in the order asked for, and how many fit in all. Admins only. */
export async function pageUsers(
  ctx: Ctx,
  filter: UserFilter,
): Promise<{ rows: UserListing[]; total: number }> {
  requireRole(ctx, 'admin')
  const where = whereOf(filter)
  const [rows, total] = await Promise.all([
    db().user.findMany({
      where,
      ...listedUser,
      orderBy: orderOf(filter.sort),
      skip: (filter.page - 1) * filter.pageSize,
      take: filter.pageSize,
    }),
    db().user.count({ where }),
  ])
  return { rows: rows.map(toUserListing), total }
}

const Person = z.object({ id: z.string(), name: z.string(), email: z.string() })

export const findUsers = verb({
  name: 'user.find',
  role: 'admin',
  scope: null,
  summary: 'Finds people by name or e-mail address, a few at a time.',
  input: UserFilter.pick({ search: true }),
  output: z.object({ rows: z.array(Person), total: z.int() }),
  transaction: false,
  run: async ({ ctx }, { search }) => {
    const { rows, total } = await pageUsers(ctx, UserFilter.parse({ search, pageSize: 8 }))
    return { rows: rows.map(({ id, name, email }) => ({ id, name, email })), total }
  },
})

function orderOf(sort: UserFilter['sort']): Prisma.UserOrderByWithRelationInput[] {
  const { key, direction } = sortParts(sort)
  return [columns[key](direction), { name: 'asc' }, { id: 'asc' }]
}

const columns = {
  name: (way) => ({ name: way }),
  role: (way) => ({ role: way }),
  'signed-in': (way) => ({ lastSignInAt: { sort: way, nulls: 'last' } }),
  added: (way) => ({ createdAt: way }),
} satisfies Record<UserSortKey, (way: SortDirection) => Prisma.UserOrderByWithRelationInput>

function whereOf({ search, role, state }: UserFilter): Prisma.UserWhereInput {
  const conditions: Prisma.UserWhereInput[] = [{ deletedAt: null }]
  if (role) conditions.push({ role })
  if (state) conditions.push(whereState(state))
  if (search) conditions.push(matches(search))
  return { AND: conditions }
}

function matches(search: string): Prisma.UserWhereInput {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  const inGroup = { memberships: { some: { group: { name: contains } } } }
  return { OR: [{ email: contains }, { name: contains }, inGroup] }
}

/**
 * `activeRuns` are under way or wait. `linkExpiresAt`: an invitation or reset link is open until then, ISO text in UTC; null = there is
 * none.
 */
export type UserDetails = UserListing & {
  activeRuns: number
  oidcIssuer: string | null
  linkExpiresAt: string | null
}

/** Returns what the page of an account shows: one's own, or as an admin anyone's. Throws NotFoundError, ForbiddenError. */
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
    activeRuns: await countActiveRuns(db(), id),
    oidcIssuer: row.oidcIssuer,
    linkExpiresAt: row.links.at(0)?.expiresAt.toISOString() ?? null,
  }
}

/** Returns the name of an account for a filter, or "a deleted account". Admins only, except for one's own account. */
export async function personName(ctx: Ctx, userId: string): Promise<string> {
  try {
    return (await readUser(ctx, userId)).name
  } catch (error) {
    if (error instanceof NotFoundError) return 'a deleted account'
    throw error
  }
}

const mostListed = 200

/** Returns the sessions of an account that still count, last used first: one's own, or as an admin anyone's. */
export async function listSessions(ctx: Ctx, userId: string): Promise<SessionListing[]> {
  const id = parseId(userId, 'The user')
  if (id !== ctx.actor.userId) requireRole(ctx, 'admin')
  const now = new Date()
  const rows = await db().session.findMany({
    where: {
      userId: id,
      revokedAt: null,
      expiresAt: { gt: now },
      lastSeenAt: { gte: new Date(now.getTime() - (await sessionIdleMs())) },
    },
    orderBy: { lastSeenAt: 'desc' },
    take: mostListed,
  })
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
  }))
}
