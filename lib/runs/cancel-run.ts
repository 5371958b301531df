import 'server-only'
import { recordAudit } from '@/lib/domains/audit/record-audit'
import type { Ctx } from '@/lib/kernel/context'
import { database, type Tx, withTransaction } from '@/lib/kernel/db'
import { runningEngine } from './engine/engine'
import { channels } from './journal/notifications'
import { requireRun } from './require-run'

/**
 * Requests that a run stop; the process that works on it ends it within 2 s (SPEC R9). For a run that was already
 * cancelled or has ended, nothing changes. Throws NotFoundError for runs that are not the caller's.
 */
export async function cancelRun(
  ctx: Ctx,
  runId: string,
  reason: string,
  engine = runningEngine(),
): Promise<{ status: 'cancelling' | 'ended' }> {
  const { client } = engine?.database ?? database()
  await requireRun(ctx, runId, client)
  const asked = await withTransaction((tx) => askToStop(tx, ctx, runId, reason), client)
  if (asked.status === 'cancelling') engine?.applyChanges(runId)
  return asked
}

async function askToStop(
  tx: Tx,
  ctx: Ctx,
  runId: string,
  reason: string,
): Promise<{ status: 'cancelling' | 'ended' }> {
  const asked = await tx.run.updateMany({
    where: { id: runId, cancelledBy: null, NOT: { status: 'ended' } },
    data: { cancelledBy: ctx.actor.email, cancelReason: reason.slice(0, 500) },
  })
  if (asked.count > 0) {
    await recordAudit(tx, ctx, {
      action: 'run.cancel',
      objectType: 'run',
      objectId: runId,
      before: null,
      after: null,
      reason,
    })
  }
  const run = await tx.run.findUniqueOrThrow({ where: { id: runId }, select: { status: true } })
  if (run.status === 'ended') return { status: 'ended' }
  await tx.$queryRaw`SELECT pg_notify(${channels.control}, ${runId}) IS NULL AS notified`
  return { status: 'cancelling' }
}
