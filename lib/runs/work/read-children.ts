import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import type { CostCap } from '@/lib/protocol/cost/money'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { toRunEvent } from '@/lib/runs/run-record'

/**
 * A run that a call started. `costMicroUsd`: what it has cost so far, null = unknown; `heldMicroUsd`: what its enforced caps let it
 * still cost, 0 when it has ended or has none.
 */
type StartedRun = { callId: string | null; costMicroUsd: number | null; heldMicroUsd: number }

/** Returns the runs that calls of this run started. */
export async function readChildren(tx: Tx, runId: string): Promise<StartedRun[]> {
  const runs = await tx.run.findMany({
    where: { parentRunId: runId },
    select: {
      parentCallId: true,
      costMicroUsd: true,
      events: { where: { seq: 1, run: { NOT: { status: 'ended' } } } },
    },
  })
  return runs.map(({ parentCallId: callId, costMicroUsd, events }) => {
    const cost = costMicroUsd === null ? null : Number(costMicroUsd)
    const { start } = foldRun(events.map(toRunEvent))
    return {
      callId,
      costMicroUsd: cost,
      heldMicroUsd: heldBy(start?.snapshot.costCaps ?? [], cost),
    }
  })
}

function heldBy(caps: readonly CostCap[], costMicroUsd: number | null): number {
  const limits = caps.flatMap(({ mode, limitMicroUsd }) =>
    mode === 'enforce' ? [limitMicroUsd] : [],
  )
  return limits.length === 0 ? 0 : Math.max(0, Math.min(...limits) - (costMicroUsd ?? 0))
}
