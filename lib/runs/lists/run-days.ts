import 'server-only'
import { z } from 'zod'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { dateIn, dayStart } from '@/lib/words/zone-days'

const days = 30

/** The runs of one day that began in it, and those of them with any failure. `date`: such as "2026-01-31". */
export type RunDay = { date: string; runs: number; failed: number }

const Counted = z.object({ day: z.number(), runs: z.number(), failed: z.number() })

/**
 * Returns the last 30 days of a zone, the oldest first, with the runs that the list finds for `period=30d` and those for
 * `failure=any`. It reads the runs of these days alone, by the index of their start. Admins only.
 */
export async function readRunDays(ctx: Ctx, zone: string, now: Date): Promise<RunDay[]> {
  requireRole(ctx, 'admin')
  const today = dateIn(zone, now)
  const starts = Array.from({ length: days }, (_, at) => dayStart(zone, today, at - days + 1))
  const [first = now] = starts
  const edges = starts.map((start) => start.toISOString())
  const rows = await db().$queryRaw<unknown[]>`
    SELECT width_bucket("createdAt", ${edges}::timestamp[]) AS day, count(*)::int AS runs,
      (count(*) FILTER (WHERE failed))::int AS failed
    FROM runs WHERE "createdAt" >= ${first.toISOString()}::timestamp GROUP BY 1`
  const counted = new Map(
    z
      .array(Counted)
      .parse(rows)
      .map((row) => [row.day, row]),
  )
  return starts.map((start, at) => {
    const { runs, failed } = counted.get(at + 1) ?? { runs: 0, failed: 0 }
    return { date: dateIn(zone, start), runs, failed }
  })
}
