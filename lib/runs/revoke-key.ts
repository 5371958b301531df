import 'server-only'
import { z } from 'zod'
import { revokeApiKey } from '@/lib/domains/api-keys/revoke-api-key'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import type { Ctx } from '@/lib/kernel/context'
import { type Tx, withTransaction } from '@/lib/kernel/db'
import { parseInput } from '@/lib/kernel/parse-input'
import { channels } from './journal/notifications'

export const RevokeKey = WithReason.extend({
  stopRuns: z.boolean('Give true or false.').default(true),
})
export type RevokeKey = z.input<typeof RevokeKey>

/**
 * Revokes an API key and, unless `stopRuns` is false, cancels the active runs that were started with it. Returns how
 * many. Members can revoke their own keys, admins any; NotFoundError otherwise. A key that was revoked before stays so,
 * and its runs can still be cancelled.
 */
export async function revokeKey(
  ctx: Ctx,
  keyId: string,
  input: RevokeKey = {},
): Promise<{ stoppedRuns: number }> {
  const { reason, stopRuns } = parseInput(RevokeKey, input)
  return withTransaction(async (tx) => {
    const stop = (name: string) => (stopRuns ? stopRunsOf(tx, ctx, { keyId, name }) : [])
    const runs = await revokeApiKey(tx, ctx, { keyId, reason, stop })
    return { stoppedRuns: runs.length }
  })
}

async function stopRunsOf(
  tx: Tx,
  ctx: Ctx,
  { keyId, name }: { keyId: string; name: string },
): Promise<string[]> {
  const runs = await tx.run.updateManyAndReturn({
    where: { apiKeyId: keyId, cancelledBy: null, NOT: { status: 'ended' } },
    data: { cancelledBy: ctx.actor.email, cancelReason: `The API key ${name} was revoked.` },
    select: { id: true },
  })
  // An empty payload makes every process check all of its runs.
  if (runs.length > 0)
    await tx.$queryRaw`SELECT pg_notify(${channels.control}, '') IS NULL AS notified`
  return runs.map(({ id }) => id)
}
