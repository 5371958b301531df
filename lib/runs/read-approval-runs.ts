import 'server-only'
import type { Tx } from '@/lib/db'
import { foldRun } from '@/lib/protocol/fold-run'
import type { ApprovalRun } from './may-decide'
import { toRunEvent } from './run-record'
import { RunRequest } from './schemas'

/**
 * What the approvals of these runs are judged by, by run id. Four eyes count when the configuration asked for them as
 * the run began or asks for them now, so that no switch lets one person approve a call that waits already (SPEC G-X).
 */
export async function readApprovalRuns(
  tx: Tx,
  runIds: string[],
): Promise<Map<string, ApprovalRun>> {
  const runs = await tx.run.findMany({
    where: { id: { in: runIds } },
    select: {
      id: true,
      userId: true,
      request: true,
      configuration: { select: { fourEyes: true } },
      events: { where: { seq: 1 } },
    },
  })
  return new Map(
    runs.flatMap(({ id, userId, request, configuration, events }) => {
      const { start } = foldRun(events.map(toRunEvent))
      if (!start) return []
      const { tools: selected } = RunRequest.parse(request)
      const { snapshot } = start
      const fourEyes = snapshot.fourEyes || configuration?.fourEyes === true
      return [[id, { userId, fourEyes, snapshot, selected }]]
    }),
  )
}
