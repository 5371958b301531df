import { sessionIdleMs } from '../../auth/load-session'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import type { SessionListing } from './schemas'

const mostListed = 200

/** The sessions of an account that still count, last used first: one's own, or as an admin anyone's. */
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
