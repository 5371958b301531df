import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import type { UserFilter, UserListing, UserSortKey } from './schemas'
import { listedUser, toUserListing, whereState } from './to-user-listing'

/** One page of the accounts that fit, in the order asked for, and how many fit in all. Admins only. */
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
