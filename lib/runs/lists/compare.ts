import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { compareRuns, type RunComparison } from '@/lib/protocol/run/compare-runs'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { readRun } from '@/lib/runs/read-run'

/**
 * Returns how two runs differ that the caller may see (SPEC C1a); without `otherId`, from the one that it is with a change.
 * `otherId` is the one before. Throws NotFoundError for one that is not there for the caller.
 */
export async function readComparison(
  ctx: Ctx,
  runId: string,
  otherId: string | null,
): Promise<{ before: string; after: string } & RunComparison> {
  const run = await readRun(ctx, runId)
  const beforeId = otherId ?? run.changedFrom
  if (beforeId === null) {
    throw new ValidationError({
      other: 'This run was not made by changing another one. Give the run to compare it with.',
    })
  }
  const before = await readRun(ctx, beforeId)
  const comparison = compareRuns(foldRun(before.events), foldRun(run.events))
  return { before: before.runId, after: run.runId, ...comparison }
}
