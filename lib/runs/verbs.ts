import 'server-only'
import { z } from 'zod'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { allowNonPolicyWrite, type Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { costCapChoices } from '@/lib/protocol/cost/cost-caps'
import { CostCap, CostCapChoice } from '@/lib/protocol/cost/money'
import { cancelRuns } from './engine/cancel-runs'
import { runningEngine } from './engine/engine'
import { channels } from './journal/notifications'
import { inRunDatabase, requireRun } from './require-run'

/**
 * The process that works on the run ends it within 2 s (SPEC R9), and with it the runs that its calls started. Nothing changes for a run that was already cancelled or
 * has ended. Throws NotFoundError for runs that are not the caller's.
 */
export const cancelRun = verb({
  name: 'run.cancel',
  role: 'member',
  scope: 'runs:write',
  summary: 'Cancels a run.',
  reason: 'optional',
  input: z.object({ runId: z.string() }),
  output: z.object({ status: z.enum(['cancelling', 'ended']) }),
  transaction: inRunDatabase,
  run: async ({ tx, ctx, actor, reason }, input) => {
    const { id } = await requireRun(ctx, input.runId, tx)
    const which = Prisma.sql`(id = ${id}::uuid OR "parentRunId" = ${id}::uuid)`
    const stopped = await cancelRuns(tx, which, { by: actor.email, reason })
    const stoppedRuns = stopped.filter((stoppedId) => stoppedId !== id)
    const { status } = await tx.run.findUniqueOrThrow({ where: { id }, select: { status: true } })
    for (const each of status === 'ended' ? stoppedRuns : [id, ...stoppedRuns])
      await tx.$queryRaw`SELECT pg_notify(${channels.control}, ${each}) IS NULL AS notified`
    const output = { status: status === 'ended' ? ('ended' as const) : ('cancelling' as const) }
    return stopped.length > 0
      ? changed(output, {
          subject: id,
          before: null,
          after: stoppedRuns.length > 0 ? { stoppedRuns } : null,
        })
      : unchanged(output)
  },
  afterCommit: ({ status }, { runId }) => {
    if (status === 'cancelling') runningEngine()?.applyChanges(runId)
  },
})

/**
 * The last choice counts (SPEC M4). Throws ForbiddenError when a member would weaken what an admin enforced or chose
 * (SPEC G-X), ConflictError when the run has ended or has no cap of its own, and NotFoundError when it is not the caller's.
 */
export const chooseCostCap = verb({
  name: 'run.cost-cap',
  role: 'member',
  scope: 'runs:write',
  summary: 'Chooses what the cost cap of a run does for the rest of it.',
  input: z.object({ runId: z.string(), choice: CostCapChoice }),
  output: z.object({ runId: z.string(), choice: CostCapChoice }),
  run: async ({ tx, ctx, actor: { email } }, { runId, choice }) => {
    const role = roleWithinKey(ctx)
    const { id } = await requireRun(ctx, runId, tx)
    const caps = await readRunCaps(tx, id)
    const own = caps.filter(({ scope }) => scope !== 'panel')
    if (own.length === 0)
      throw new ConflictError(
        caps.length === 0
          ? 'This run has no cost cap.'
          : 'The only cost cap of this run is that of its panel. Choose what it does for the whole panel.',
      )
    const before = await lockChoice(tx, id)
    if (!before) throw new ConflictError('This run has ended.')
    if (!costCapChoices(own, role, before.byAdmin).includes(choice)) {
      throw new ForbiddenError(
        'An admin set what the cost cap of this run does. You may make it stricter, but not weaker. Ask an admin.',
      )
    }
    await tx.run.update({
      where: { id },
      data: {
        costCapChoice: choice,
        costCapChosenBy: email,
        ...(role === 'admin' && { costCapByAdmin: choice }),
      },
    })
    const sides = { before: { choice: before.choice }, after: { choice } }
    return changed({ runId: id, choice }, { subject: id, ...sides })
  },
})

const Standing = z.object({
  choice: CostCapChoice.nullable(),
  byAdmin: CostCapChoice.nullable(),
})

/** Returns the choice so far and locks it against concurrent choices; null when the run has ended. */
async function lockChoice(tx: Tx, runId: string): Promise<z.output<typeof Standing> | null> {
  const [row] = await tx.$queryRaw<unknown[]>`
    SELECT "costCapChoice" AS choice, "costCapByAdmin" AS "byAdmin" FROM runs
    WHERE id = ${runId}::uuid AND status <> 'ended' FOR UPDATE`
  return row === undefined ? null : Standing.parse(row)
}

const Caps = z.array(CostCap)

/** Returns the cost caps a run started with; none for journals that are older than cost caps. */
async function readRunCaps(tx: Tx, runId: string): Promise<CostCap[]> {
  const [row] = await tx.$queryRaw<{ caps: unknown }[]>`
    SELECT data->'snapshot'->'costCaps' AS caps FROM run_events
    WHERE "runId" = ${runId}::uuid AND seq = 1`
  return Caps.safeParse(row?.caps).data ?? []
}

/**
 * Members can revoke their own keys, admins any; throws NotFoundError otherwise. A key that was revoked before stays so,
 * and its runs can still be cancelled.
 */
export const revokeKey = verb({
  name: 'api-key.revoke',
  role: 'member',
  scope: null,
  summary: 'Revokes an API key at once and cancels the active runs that were started with it.',
  reason: 'optional',
  input: z.object({
    keyId: z.string().max(100),
    stopRuns: z.boolean().default(true),
  }),
  output: z.object({ stoppedRuns: z.number() }),
  run: async ({ tx, ctx, actor }, { keyId, stopRuns }) => {
    const id = parseId(keyId, 'The API key')
    const where = actor.role === 'admin' ? { id } : { id, userId: actor.userId }
    const key = await tx.apiKey.findFirst({ where, select: { name: true, prefix: true } })
    if (!key) throw new NotFoundError('The API key')
    const revokedAt = new Date()
    const { count } = await allowNonPolicyWrite(tx, 'which keys open doors').apiKey.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt },
    })
    const stoppedRuns = stopRuns ? await stopRunsOf(tx, ctx, { keyId: id, name: key.name }) : []
    const output = { stoppedRuns: stoppedRuns.length }
    if (count === 0 && stoppedRuns.length === 0) return unchanged(output)
    const after = { ...key, revokedAt, ...(stoppedRuns.length > 0 && { stoppedRuns }) }
    return changed(output, { subject: id, before: key, after })
  },
})

async function stopRunsOf(
  tx: Tx,
  ctx: Ctx,
  { keyId, name }: { keyId: string; name: string },
): Promise<string[]> {
  const runs = await cancelRuns(tx, Prisma.sql`"apiKeyId" = ${keyId}::uuid`, {
    by: ctx.actor.email,
    reason: `The API key ${name} was revoked.`,
  })
  // An empty payload makes every process check all of its runs.
  if (runs.length > 0)
    await tx.$queryRaw`SELECT pg_notify(${channels.control}, '') IS NULL AS notified`
  return runs
}
