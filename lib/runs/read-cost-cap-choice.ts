import 'server-only'
import { db } from '@/lib/db'
import { CostCapChoice } from '@/lib/protocol/cost-cap-choices'

/** What somebody chose about the cost cap of this run, and what an admin chose last; null = nobody did (SPEC M4). */
export async function readCostCapChoice(
  runId: string,
): Promise<{ choice: CostCapChoice; by: string; byAdmin: CostCapChoice | null } | null> {
  const run = await db().run.findUniqueOrThrow({
    where: { id: runId },
    select: { costCapChoice: true, costCapChosenBy: true, costCapByAdmin: true },
  })
  const choice = CostCapChoice.nullable().parse(run.costCapChoice)
  const byAdmin = CostCapChoice.nullable().parse(run.costCapByAdmin)
  return choice && { choice, by: run.costCapChosenBy ?? 'unknown', byAdmin }
}
