import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { stepText } from './split-of'
import { callConditions } from './usage-conditions'
import type { UsageScope } from './usage-filter'
import type { UsageWindow } from './usage-window'

const figure = z.coerce.number()

/**
 * How one tool did in a window. `failed` counts calls that ran and went wrong (failed, timed out, unknown), `denied` those
 * that a gate or a person refused. Latencies are milliseconds of calls that ran; `lastAt` is ISO text in UTC.
 */
export const ToolUsage = z.object({
  toolName: z.string(),
  calls: figure,
  runs: figure,
  ok: figure,
  failed: figure,
  denied: figure,
  invalid: figure,
  p50Ms: figure.nullable(),
  p95Ms: figure.nullable(),
  lastAt: z.string(),
})
export type ToolUsage = z.infer<typeof ToolUsage>

/** Every tool that was asked for in a window, the most asked first. Admins only. */
export async function readToolUsage(
  ctx: Ctx,
  window: UsageWindow,
  scope: UsageScope,
): Promise<ToolUsage[]> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<unknown[]>`
    SELECT r."toolName",
      count(*)::int AS calls,
      count(DISTINCT r."runId")::int AS runs,
      (count(*) FILTER (WHERE r.outcome = 'ok'))::int AS ok,
      (count(*) FILTER (WHERE r.outcome IN ('failed', 'timed-out', 'unknown')))::int AS failed,
      (count(*) FILTER (WHERE r.outcome = 'denied'))::int AS denied,
      (count(*) FILTER (WHERE r.outcome = 'invalid-arguments'))::int AS invalid,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY r."durationMs")
        FILTER (WHERE r.outcome IN ('ok', 'failed', 'timed-out')) AS "p50Ms",
      percentile_cont(0.95) WITHIN GROUP (ORDER BY r."durationMs")
        FILTER (WHERE r.outcome IN ('ok', 'failed', 'timed-out')) AS "p95Ms",
      to_char(max(r.at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastAt"
    FROM call_records r
    WHERE ${callConditions(window, scope)}
    GROUP BY 1
    ORDER BY calls DESC, 1
    LIMIT 1000`
  return z.array(ToolUsage).parse(rows)
}

/** When each tool was last asked for, ever; ISO text in UTC. Admins only. */
export async function readLastCalls(ctx: Ctx): Promise<Map<string, string>> {
  requireRole(ctx, 'admin')
  const rows = await db().callRecord.groupBy({ by: ['toolName'], _max: { at: true } })
  return new Map(
    rows.flatMap(({ toolName, _max }) => (_max.at ? [[toolName, _max.at.toISOString()]] : [])),
  )
}

const ToolPoint = z.object({
  at: z.string(),
  part: z.string().nullable(),
  calls: figure,
  runs: figure,
  errors: figure,
  p50Ms: figure.nullable(),
  p95Ms: figure.nullable(),
})
export type ToolPoint = z.infer<typeof ToolPoint>

/** Calls step by step for the tools named, and the rest together. Admins only. */
export async function readToolSeries(
  ctx: Ctx,
  toolNames: readonly string[],
  window: UsageWindow,
  scope: UsageScope,
): Promise<ToolPoint[]> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<unknown[]>`
    SELECT ${stepText(window.step)} AS at,
      CASE WHEN r."toolName" = ANY(${toolNames}::text[]) THEN r."toolName" END AS part,
      count(*)::int AS calls,
      count(DISTINCT r."runId")::int AS runs,
      (count(*) FILTER (WHERE r.outcome IN ('failed', 'timed-out', 'unknown')))::int AS errors,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY r."durationMs")
        FILTER (WHERE r.outcome IN ('ok', 'failed', 'timed-out')) AS "p50Ms",
      percentile_cont(0.95) WITHIN GROUP (ORDER BY r."durationMs")
        FILTER (WHERE r.outcome IN ('ok', 'failed', 'timed-out')) AS "p95Ms"
    FROM call_records r
    WHERE ${callConditions(window, scope)}
    GROUP BY 1, 2
    ORDER BY 1`
  return z.array(ToolPoint).parse(rows)
}
