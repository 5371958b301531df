import 'server-only'
import { z } from 'zod'
import { db } from '@/lib/db'
import { CostCap } from '@/lib/protocol/cost-cap-choices'

const Caps = z.array(CostCap)

/** The cost caps a run began with; none for journals from before there were any. */
export async function readRunCaps(runId: string): Promise<CostCap[]> {
  const [row] = await db().$queryRaw<{ caps: unknown }[]>`
    SELECT data->'snapshot'->'costCaps' AS caps FROM run_events
    WHERE "runId" = ${runId}::uuid AND seq = 1`
  return Caps.safeParse(row?.caps).data ?? []
}
