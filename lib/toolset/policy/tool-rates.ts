import 'server-only'
import { z } from 'zod'
import { rateDenial } from '@/lib/engines/runtime/policy/rate'
import type { RateUse, Subject, ToolRate } from '@/lib/engines/runtime/policy/subject'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import type { Denial } from '@/lib/protocol/tool'

/** A call that wants to start. `begun`: starts of its tool in the same run that are not in the journal yet. */
export type WantedStart = { toolName: string; runId: string; begun: number }

const Taken = z.object({ inRun: z.int(), taken: z.boolean() })

/** SQL for the times within the last minute of the database's clock. */
const inMinute = Prisma.sql`at > clock_timestamp() - interval '1 minute'`

/**
 * Counts the start of a call of a tool with a limit, in the transaction that writes it; or returns why it may not start, and
 * counts nothing. Whoever wants to start a call of the same tool waits until the transaction ends, in any process.
 */
export async function takeStart(
  tx: Tx,
  { toolName, runId, begun }: WantedStart,
  { perMinute, perRun }: Pick<ToolRate, 'perMinute' | 'perRun'>,
): Promise<Denial | null> {
  const rows = await tx.$queryRaw<unknown[]>`
    WITH run AS MATERIALIZED (SELECT ${begun}::int + CASE WHEN ${perRun}::int IS NULL THEN 0 ELSE (
      SELECT count(*) FROM run_events
      WHERE "runId" = ${runId}::uuid AND type = 'call-start' AND data->>'name' = ${toolName}) END AS used),
    free AS MATERIALIZED (SELECT ${perRun}::int IS NULL OR used < ${perRun}::int AS "inRun" FROM run),
    taken AS (
      INSERT INTO tool_starts AS t ("toolName", starts)
      SELECT ${toolName}, ARRAY[clock_timestamp()] FROM free WHERE "inRun" AND ${perMinute}::int IS NOT NULL
      ON CONFLICT ("toolName") DO UPDATE SET
        starts = ARRAY(SELECT at FROM unnest(t.starts) AS s(at) WHERE ${inMinute} ORDER BY at) || clock_timestamp()
      WHERE (SELECT count(*) FROM unnest(t.starts) AS s(at) WHERE ${inMinute}) < ${perMinute}::int
      RETURNING "toolName")
    SELECT run.used::int AS "inRun",
      free."inRun" AND (${perMinute}::int IS NULL OR EXISTS (SELECT FROM taken)) AS taken FROM run, free`
  const [answer] = z.array(Taken).parse(rows)
  if (!answer) throw new Error('PostgreSQL gave no answer to the start of a call.')
  const { inRun, taken } = answer
  if (taken) return null
  const { inMinute: used = 0, waitMs = null } = (await readUses(tx, [toolName])).get(toolName) ?? {}
  // A start may have left the last minute since it was counted.
  const full = perRun !== null && inRun >= perRun ? used : Math.max(used, perMinute ?? 0)
  return rateDenial({ perMinute, perRun, use: { inMinute: full, inRun, waitMs } })
}

/** Returns the subject of a run that has not begun, with what is used now of the limits of tools. */
export async function withUse(tx: Tx, subject: Subject): Promise<Subject> {
  if (subject.rates.size === 0) return subject
  const uses = await readUses(tx, [...subject.rates.keys()])
  const rates = [...subject.rates].map(([name, rate]): [string, ToolRate] => {
    const use = uses.get(name) ?? { inMinute: 0, waitMs: null }
    return [name, { ...rate, use: { ...use, inRun: 0 } }]
  })
  return { ...subject, rates: new Map(rates) }
}

const Use = z.object({
  toolName: z.string(),
  inMinute: z.int(),
  waitMs: z.number().nullable(),
})

/** Reads how many calls of tools with a limit a minute started in the last one, and how long there is no room for another. */
async function readUses(
  tx: Tx,
  names: readonly string[],
): Promise<ReadonlyMap<string, Omit<RateUse, 'inRun'>>> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT l."toolName", count(s.at)::int AS "inMinute", greatest(0, extract(epoch FROM
      (array_agg(s.at ORDER BY s.at DESC))[l."perMinute"] + interval '1 minute' - clock_timestamp()) * 1000)::float8 AS "waitMs"
    FROM tool_limits l
    LEFT JOIN tool_starts t ON t."toolName" = l."toolName"
    LEFT JOIN LATERAL (SELECT at FROM unnest(t.starts) AS u(at) WHERE ${inMinute}) s ON true
    WHERE l."toolName" = ANY(${names}) AND l."perMinute" IS NOT NULL
    GROUP BY l."toolName", l."perMinute"`
  return new Map(
    z
      .array(Use)
      .parse(rows)
      .map(({ toolName, ...use }) => [toolName, use]),
  )
}
