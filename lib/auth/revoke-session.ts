import { recordAudit } from '../audit/record-audit'
import { withTransaction } from '../db'

/** Ends a session for good, whoever holds its cookie. Harmless when it has ended already. */
export async function revokeSession(sessionId: string): Promise<void> {
  await withTransaction(async (tx) => {
    const ended = await tx.session.updateManyAndReturn({
      where: { id: sessionId, revokedAt: null },
      data: { revokedAt: new Date() },
      include: { user: true },
    })
    for (const { user, ipAddress } of ended) {
      const actor = { userId: user.id, email: user.email, role: user.role }
      await recordAudit(
        tx,
        { actor, via: 'console', ipAddress },
        {
          action: 'session.close',
          objectType: 'session',
          objectId: sessionId,
        },
      )
    }
  })
}
