import 'server-only'
import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { ApprovalRun } from './may-decide'
import { RunRequest } from './schemas'

const Row = z.object({
  id: z.string(),
  userId: z.string(),
  request: RunRequest,
  /** null = its configuration is gone. */
  fourEyes: z.boolean().nullable(),
  snapshot: RunSnapshot,
})

/**
 * Returns what the approvals of these runs are judged by, by run id; runs whose journal cannot be read are missing. A
 * second person is required when the configuration said so as the run started or says so now, so that no change lets
 * one person approve a pending call alone (SPEC G-X). System prompts and bodies of skills, which can be megabytes, stay
 * in the database.
 */
export async function readApprovalRuns(
  tx: Tx,
  runIds: string[],
): Promise<Map<string, ApprovalRun>> {
  if (runIds.length === 0) return new Map()
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT r.id, r."userId", r.request, c."fourEyes",
      e.data->'snapshot' || jsonb_build_object('systemPrompt', '', 'skills', (
        SELECT coalesce(jsonb_agg(s.skill || '{"body":""}' ORDER BY s.place), '[]')
        FROM jsonb_array_elements(e.data->'snapshot'->'skills') WITH ORDINALITY AS s(skill, place)
      )) AS snapshot
    FROM runs r
    JOIN run_events e ON e."runId" = r.id AND e.seq = 1 AND e.type = 'run-start'
    LEFT JOIN configurations c ON c.id = r."configurationId"
    WHERE r.id = ANY(${runIds}::uuid[])`
  return new Map(
    rows.flatMap((each) => {
      const row = Row.safeParse(each)
      if (!row.success) return []
      const { id, userId, request, snapshot } = row.data
      const fourEyes = snapshot.fourEyes || row.data.fourEyes === true
      return [[id, { userId, fourEyes, snapshot, selected: request.tools }]]
    }),
  )
}
