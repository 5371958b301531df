import { z } from 'zod'
import type { Ctx } from '../../kernel/context'
import { db } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import { ApiScope } from '../../protocol/api-scope'
import type { ApiKeyListing } from './schemas'

/**
 * Keys, newest first: of one account, or everyone's an admin may see. A member only sees their own, whoever is asked
 * about. Never a token or its hash.
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
  return rows.map((row) => ({
    id: row.id,
    userId: row.userId,
    userEmail: row.user.email,
    name: row.name,
    prefix: row.prefix,
    scopes: z.array(ApiScope).parse(row.scopes),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    runsUnderWay: row._count.runs,
  }))
}
