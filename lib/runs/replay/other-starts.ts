import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import type { StoredRun } from './stored-runs'

/** Returns when calls of a tool started in other runs: ms since 1970, in order. */
export type OtherStarts = (toolName: string) => readonly number[]

type Started = { runId: string; name: string; at: Date }

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
): Promise<((runId: string) => OtherStarts) | null> {
  if (names.length === 0) return () => () => []
  const windows = runs.map(({ recorded: { events } }) => ({
    since: new Date((events.at(0)?.at ?? 0) - 60_000),
    until: new Date(events.at(-1)?.at ?? 0),
  }))
  // Runs that overlap read a start once. Up to 100,000 rows, so nothing stands between them and the driver.
  const starts = await tx.$queryRaw<Started[]>`
    SELECT DISTINCT e."runId", e.seq, e.data->>'name' AS name, e.at
    FROM jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) AS q(since timestamp, until timestamp)
    JOIN runs r ON r.calls > 0 AND r."createdAt" <= q.until
      AND (r."endedAt" IS NULL OR r."endedAt" >= q.since)
    JOIN run_events e ON e."runId" = r.id AND e.type = 'call-start' AND e.data->>'name' = ANY(${names})
      AND e.at BETWEEN q.since AND q.until
    ORDER BY e.at LIMIT ${mostStarts + 1}`
  if (starts.length > mostStarts) return null
  const byTool = new Map<string, { runId: string; at: number }[]>()
  for (const { runId, name, at } of starts) {
    const list = byTool.get(name)
    if (list) list.push({ runId, at: at.getTime() })
    else byTool.set(name, [{ runId, at: at.getTime() }])
  }
  return (own) => {
    // Most runs call few of the tools that have a limit.
    const known = new Map<string, readonly number[]>()
    return (name) => {
      const found =
        known.get(name) ??
        (byTool.get(name) ?? []).flatMap(({ runId, at }) => (runId === own ? [] : [at]))
      known.set(name, found)
      return found
    }
  }
}
