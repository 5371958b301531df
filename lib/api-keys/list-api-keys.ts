import { z } from 'zod'
import type { Ctx } from '../context'
import { db } from '../db'
import { type ApiKeyListing, ApiScope } from './schemas'

/** One's own keys, newest first; an admin sees everyone's. Never a token or its hash. */
export async function listApiKeys(ctx: Ctx): Promise<ApiKeyListing[]> {
  const rows = await db().apiKey.findMany({
    where: ctx.actor.role === 'admin' ? {} : { userId: ctx.actor.userId },
    include: { user: { select: { email: true } } },
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
  }))
}
