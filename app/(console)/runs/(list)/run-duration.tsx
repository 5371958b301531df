import { Elapsed } from '@/components/trace/elapsed'
import { formatDuration } from '@/lib/protocol/format'
import type { RunRow } from '@/lib/runs/schemas'

/** How long a run took, or has been at it. */
export function RunDuration({ row }: { row: Pick<RunRow, 'createdAt' | 'endedAt'> }) {
  const since = Date.parse(row.createdAt)
  if (row.endedAt === null) return <Elapsed since={since} />
  return formatDuration(Date.parse(row.endedAt) - since)
}
