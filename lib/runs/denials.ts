import 'server-only'
import { z } from 'zod'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { GateName } from '@/lib/protocol/tool'

const newest = 5

const RefusingGate = z.object({ gate: GateName, calls: z.number(), runs: z.number() })
/** How many calls a gate refused, and in how many runs. */
export type RefusingGate = z.output<typeof RefusingGate>

/**
 * Returns how many calls each gate refused in the runs that began since then, most first. The runs are those that the list
 * finds for the gate. Admins only.
 */
export async function readRefusingGates(ctx: Ctx, since: Date): Promise<RefusingGate[]> {
  requireRole(ctx, 'admin')
  const from = since.toISOString()
  // A call ends after its run began, so that the index on the time of denied calls finds it.
  const rows = await db().$queryRaw<unknown[]>`
    SELECT c.gate, count(*)::int AS calls, count(DISTINCT c."runId")::int AS runs
    FROM call_records c JOIN runs r ON r.id = c."runId"
    WHERE c.outcome = 'denied' AND c.gate IS NOT NULL AND c.at >= ${from}::timestamp
      AND r."createdAt" >= ${from}::timestamp
    GROUP BY c.gate ORDER BY calls DESC, c.gate`
  return z
    .array(RefusingGate.nullable().catch(null))
    .parse(rows)
    .flatMap((row) => row ?? [])
}

const Denial = z.object({
  runId: z.string(),
  callId: z.string(),
  toolName: z.string(),
  gate: GateName.nullable().catch(null),
  userEmail: z.string(),
  /** null = the journal of its run is not kept any more. */
  reason: z.string().nullable(),
  at: z.date().transform((at) => at.toISOString()),
})
/** A call that was refused, with the sentence that says why. */
export type Denial = z.output<typeof Denial>

/** Returns the five calls that were refused last. Admins only. */
export async function readNewestDenials(ctx: Ctx): Promise<Denial[]> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<unknown[]>`
    WITH newest AS (
      SELECT * FROM call_records WHERE outcome = 'denied' ORDER BY at DESC, "callId" LIMIT ${newest})
    SELECT c."runId", c."callId", c."toolName", c.gate, c.at, u.email AS "userEmail", e.reason
    FROM newest c JOIN users u ON u.id = c."userId"
      LEFT JOIN LATERAL (
        SELECT data->'outcome'->>'reason' AS reason FROM run_events
        WHERE "runId" = c."runId" AND type = 'call-end' AND data->>'callId' = c."callId" LIMIT 1) e ON true
    ORDER BY c.at DESC, c."callId"`
  return z.array(Denial).parse(rows)
}
