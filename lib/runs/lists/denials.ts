import 'server-only'
import { z } from 'zod'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { GateName } from '@/lib/protocol/tool'

const newest = 5

/** Number of calls that a gate refused, and of their runs. */
const RefusingGate = z.object({ gate: GateName, calls: z.number(), runs: z.number() })
export type RefusingGate = z.output<typeof RefusingGate>

/** A call that was refused, with the sentence that says why. `at` is ISO text in UTC. */
const Denial = z.object({
  runId: z.string(),
  callId: z.string(),
  toolName: z.string(),
  gate: GateName.nullable().catch(null),
  userEmail: z.string(),
  /** null = the journal of its run is not kept any more. */
  reason: z.string().nullable(),
  at: z.string(),
})
export type Denial = z.output<typeof Denial>

const Read = z.object({
  // A gate of a newer version has no name here.
  gates: z.array(RefusingGate.nullable().catch(null)),
  denials: z.array(Denial),
})

/**
 * Returns how many calls each gate refused in the runs that began since then, most first, and the five calls that were
 * refused last. The runs of a gate are those that the list finds for it. Admins only.
 */
export async function readDenials(
  ctx: Ctx,
  since: Date,
): Promise<{ gates: RefusingGate[]; denials: Denial[] }> {
  requireRole(ctx, 'admin')
  const from = since.toISOString()
  // A call ends after its run began, so that the index on the time of denied calls finds it.
  const [row] = await db().$queryRaw<unknown[]>`
    WITH gates AS (
      SELECT c.gate, count(*)::int AS calls, count(DISTINCT c."runId")::int AS runs
      FROM call_records c JOIN runs r ON r.id = c."runId"
      WHERE c.outcome = 'denied' AND c.gate IS NOT NULL AND c.at >= ${from}::timestamp
        AND r."createdAt" >= ${from}::timestamp
      GROUP BY c.gate),
    newest AS (
      SELECT * FROM call_records WHERE outcome = 'denied' ORDER BY at DESC, "callId" LIMIT ${newest}),
    denials AS (
      SELECT c."runId", c."callId", c."toolName", c.gate, u.email AS "userEmail", e.reason,
        to_char(c.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM newest c JOIN users u ON u.id = c."userId"
        LEFT JOIN LATERAL (
          SELECT data->'outcome'->>'reason' AS reason FROM run_events
          WHERE "runId" = c."runId" AND type = 'call-end' AND data->>'callId' = c."callId" LIMIT 1) e ON true)
    SELECT
      (SELECT coalesce(jsonb_agg(g ORDER BY calls DESC, gate), '[]') FROM gates g) AS gates,
      (SELECT coalesce(jsonb_agg(d ORDER BY at DESC, "callId"), '[]') FROM denials d) AS denials`
  const { gates, denials } = Read.parse(row)
  return { gates: gates.flatMap((gate) => gate ?? []), denials }
}
