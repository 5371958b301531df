import { z } from 'zod'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { ApiScope, scopesBeyondLimits, sensitiveAmong } from '@/lib/protocol/api-scope'
import { isUnlimited, type KeyLimits, noLimits, type ShownLimits } from '@/lib/protocol/key-limits'
import type { ApiKeyListing } from './schemas'
import { keysWithBudget, limitsOf } from './verify-api-key'

/** Returns the id of the key with this id or public beginning. Throws NotFoundError. Admins only. */
export async function findApiKey(ctx: Ctx, idOrPrefix: string): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrPrefix)
  const rows = await db().apiKey.findMany({
    where: id.success ? { id: id.data } : { prefix: idOrPrefix.trim() },
    select: { id: true },
    take: 2,
  })
  const [row] = rows
  if (row && rows.length === 1) return row
  throw new NotFoundError(`The API key ${idOrPrefix.slice(0, 9)}`)
}

/**
 * Returns keys, newest first: of one account, or for an admin all of them. A member only gets their own, whatever
 * `userId` says. Tokens and their hashes are never among what is returned.
 */
export async function listApiKeys(ctx: Ctx, userId?: string): Promise<ApiKeyListing[]> {
  const owner = ctx.actor.role === 'admin' ? userId : ctx.actor.userId
  const rows = await db().apiKey.findMany({
    where: owner === undefined ? {} : { userId: parseId(owner, 'The user') },
    include: {
      user: { select: { email: true } },
      _count: { select: { runs: { where: { NOT: { status: 'ended' } } } } },
    },
    omit: { tokenHash: true },
    orderBy: { createdAt: 'desc' },
  })
  const limits = rows.map(limitsOf)
  const ids = limits.flatMap(({ configurations }) => configurations ?? [])
  const known = await db().configuration.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  const budgeted = await keysWithBudget(rows.map(({ id }) => id))
  return rows.map((row, place) => {
    const scopes = z.array(ApiScope).parse(row.scopes)
    const own = limits[place] ?? noLimits
    return {
      id: row.id,
      userId: row.userId,
      userEmail: row.user.email,
      name: row.name,
      prefix: row.prefix,
      scopes,
      sensitiveScopes: sensitiveAmong(scopes),
      unusableScopes: !isUnlimited(own) || budgeted.has(row.id) ? scopesBeyondLimits(scopes) : [],
      limits: shownLimits(own, known),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      revokedAt: row.revokedAt?.toISOString() ?? null,
      pausedAt: row.pausedAt?.toISOString() ?? null,
      runsUnderWay: row._count.runs,
    }
  })
}

function shownLimits(
  { configurations: ids, ...tools }: KeyLimits,
  known: readonly { id: string; name: string }[],
): ShownLimits {
  return { ...tools, configurations: ids && known.filter(({ id }) => ids.includes(id)) }
}
