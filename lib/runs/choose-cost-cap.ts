import 'server-only'
import { z } from 'zod'
import { recordAudit } from '@/lib/domains/audit/record-audit'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx, withTransaction } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { CostCap, CostCapChoice, costCapChoices } from '@/lib/protocol/cost'
import { requireRun } from './require-run'

export const ChooseCostCap = z.object({ runId: z.uuid(), choice: CostCapChoice })
export type ChooseCostCap = z.input<typeof ChooseCostCap>

/**
 * Sets what the cost caps of a run do from its next round on (SPEC M4). The last choice counts. Throws ForbiddenError
 * when a member would weaken what an admin enforced or chose (SPEC G-X), ConflictError when the run has ended or has no
 * cap, and NotFoundError when it is not the caller's.
 */
export async function chooseCostCap(ctx: Ctx, input: ChooseCostCap): Promise<void> {
  const { runId, choice } = parseInput(ChooseCostCap, input)
  const { role, email } = ctx.actor
  await requireRun(ctx, runId)
  const caps = await readRunCaps(runId)
  if (caps.length === 0) throw new ConflictError('This run has no cost cap.')
  await withTransaction(async (tx) => {
    const before = await lockChoice(tx, runId)
    if (!before) throw new ConflictError('This run has ended.')
    if (!costCapChoices(caps, role, before.byAdmin).includes(choice)) {
      throw new ForbiddenError(
        'An admin set what the cost cap of this run does. You may make it stricter, but not weaker. Ask an admin.',
      )
    }
    await tx.run.update({
      where: { id: runId },
      data: {
        costCapChoice: choice,
        costCapChosenBy: email,
        ...(role === 'admin' && { costCapByAdmin: choice }),
      },
    })
    await recordAudit(tx, ctx, {
      action: 'run.cost-cap',
      objectType: 'run',
      objectId: runId,
      before: { choice: before.choice },
      after: { choice },
    })
  })
}

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
async function readRunCaps(runId: string): Promise<CostCap[]> {
  const [row] = await db().$queryRaw<{ caps: unknown }[]>`
    SELECT data->'snapshot'->'costCaps' AS caps FROM run_events
    WHERE "runId" = ${runId}::uuid AND seq = 1`
  return Caps.safeParse(row?.caps).data ?? []
}

/** Returns the current choice for the cost caps of this run, and the last choice of an admin; null = none (SPEC M4). */
export async function readCostCapChoice(
  tx: Tx,
  runId: string,
): Promise<{ choice: CostCapChoice; by: string; byAdmin: CostCapChoice | null } | null> {
  const run = await tx.run.findUniqueOrThrow({
    where: { id: runId },
    select: { costCapChoice: true, costCapChosenBy: true, costCapByAdmin: true },
  })
  const choice = CostCapChoice.nullable().parse(run.costCapChoice)
  const byAdmin = CostCapChoice.nullable().parse(run.costCapByAdmin)
  return choice && { choice, by: run.costCapChosenBy ?? 'unknown', byAdmin }
}
