import 'server-only'
import { z } from 'zod'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Ctx } from '@/lib/context'
import { withTransaction } from '@/lib/db'
import { ConflictError, ForbiddenError } from '@/lib/errors'
import { parseInput } from '@/lib/parse-input'
import { CostCapChoice, costCapChoices } from '@/lib/protocol/cost-cap-choices'
import { readRunCaps } from './read-run-caps'
import { requireRun } from './require-run'

export const ChooseCostCap = z.object({ runId: z.uuid(), choice: CostCapChoice })
export type ChooseCostCap = z.input<typeof ChooseCostCap>

/**
 * Says what a run's cost caps do for its rest (SPEC M4); the process that works on it heeds it before its next round.
 * The last choice counts. A member may not widen what an admin enforces (SPEC G-X): ForbiddenError. ConflictError when
 * the run has ended or has no cap; NotFoundError when it is not the caller's.
 */
export async function chooseCostCap(ctx: Ctx, input: ChooseCostCap): Promise<void> {
  const { runId, choice } = parseInput(ChooseCostCap, input)
  const run = await requireRun(ctx, runId)
  const caps = await readRunCaps(runId)
  if (caps.length === 0) throw new ConflictError('This run has no cost cap.')
  if (!costCapChoices(caps, ctx.actor.role).includes(choice)) {
    throw new ForbiddenError('Its cost cap was set by an admin to end this run. Ask an admin.')
  }
  await withTransaction(async (tx) => {
    const { count } = await tx.run.updateMany({
      where: { id: runId, NOT: { status: 'ended' } },
      data: { costCapChoice: choice, costCapChosenBy: ctx.actor.email },
    })
    if (count === 0) throw new ConflictError('This run has ended.')
    await recordAudit(tx, ctx, {
      action: 'run.cost-cap',
      objectType: 'run',
      objectId: runId,
      before: { choice: run.costCapChoice },
      after: { choice },
    })
  })
}
