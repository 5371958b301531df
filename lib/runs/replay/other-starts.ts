import 'server-only'
import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import type { StoredRun } from './stored-runs'

/** Times at which calls of tools started in other runs, by tool: ms since 1970, in order. */
export type OtherStarts = ReadonlyMap<string, readonly number[]>

const Started = z.object({ runId: z.string(), name: z.string(), at: z.date() })

/** More starts than this are not counted one by one. */
const mostStarts = 100_000

/**
 * Reads for each run when other runs started calls of these tools while it was under way, and in the minute before. Null: there
 * are too many.
 */
export async function readOtherStarts(
  tx: Tx,
  runs: readonly StoredRun[],
  names: readonly string[],
): Promise<ReadonlyMap<string, OtherStarts> | null> {
  if (names.length === 0) return new Map()
  const windows = runs.map(({ runId, recorded: { events } }) => ({
    runId,
    since: new Date((events.at(0)?.at ?? 0) - 60_000),
    until: new Date(events.at(-1)?.at ?? 0),
  }))
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT q."runId", e.data->>'name' AS name, e.at
    FROM jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) AS q("runId" uuid, since timestamp, until timestamp)
    JOIN runs r ON r.id <> q."runId" AND r.calls > 0 AND r."createdAt" <= q.until
      AND (r."endedAt" IS NULL OR r."endedAt" >= q.since)
    JOIN run_events e ON e."runId" = r.id AND e.type = 'call-start' AND e.data->>'name' = ANY(${names})
      AND e.at BETWEEN q.since AND q.until
    ORDER BY e.at LIMIT ${mostStarts + 1}`
  const starts = z.array(Started).parse(rows)
  if (starts.length > mostStarts) return null
  const ofRuns = new Map<string, Map<string, number[]>>()
  for (const { runId, name, at } of starts) {
    const byTool = ofRuns.get(runId) ?? new Map<string, number[]>()
    ofRuns.set(runId, byTool)
    const times = byTool.get(name)
    if (times) times.push(at.getTime())
    else byTool.set(name, [at.getTime()])
  }
  return ofRuns
}
