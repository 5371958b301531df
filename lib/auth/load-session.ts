import { db } from '../db'
import type { Actor } from '../protocol/tool'

const touchEveryMs = 60_000

export type SignedIn = { sessionId: string; actor: Actor; name: string }

/**
 * The person behind a session as the database knows them now: revocation, a lowered role and a disabled account take
 * effect here, at the next request. Null when the session does not count any more.
 */
export async function loadSession(sessionId: string, now = new Date()): Promise<SignedIn | null> {
  const session = await db().session.findFirst({
    where: {
      id: sessionId,
      revokedAt: null,
      expiresAt: { gt: now },
      user: { disabledAt: null, deletedAt: null },
    },
    select: {
      lastSeenAt: true,
      user: { select: { id: true, email: true, name: true, role: true } },
    },
  })
  if (!session) return null
  if (now.getTime() - session.lastSeenAt.getTime() > touchEveryMs) {
    await db().session.updateMany({ where: { id: sessionId }, data: { lastSeenAt: now } })
  }
  const { id, email, name, role } = session.user
  return { sessionId, actor: { userId: id, email, role }, name }
}
