import 'server-only'
import { z } from 'zod'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { costBound } from '@/lib/protocol/cost/cost'
import { FailureCategory } from '@/lib/protocol/model/failure'
import type { Waiting } from '@/lib/protocol/run/waiting'
import { waitingOf } from '@/lib/runs/approvals/read-waiting'
import { toMarks } from '@/lib/runs/mark-run'
import { toEndReason, toSource } from '@/lib/runs/run-record'
import { RunRequest, RunRow } from '@/lib/runs/schemas'

const excerptCharacters = 200

export const withNames = {
  user: { select: { name: true, email: true } },
  configuration: { select: { name: true } },
  task: { select: { id: true, name: true } },
} as const satisfies Prisma.RunInclude

type RunWithNames = Prisma.RunGetPayload<{ include: typeof withNames }>

/** Returns the lines of the list for these runs, in their order. */
export async function toRows(ctx: Ctx, runs: readonly RunWithNames[]): Promise<RunRow[]> {
  const [facts, waiting] = await Promise.all([
    readFacts(runs.map(({ id }) => id)),
    waitingOf(ctx, runs),
  ])
  return runs.map((run) => toRow(run, facts.get(run.id), waiting.get(run.id)))
}

function wordFor(request: Prisma.JsonValue): string {
  const kind = RunRequest.safeParse(request).data?.kind
  return kind === 'model-test' ? 'test of a model' : 'deleted configuration'
}

const Facts = z.object({
  runId: z.string(),
  model: RunRow.shape.model,
  connection: RunRow.shape.connection,
  cachedInputTokens: RunRow.shape.cachedInputTokens,
  callTrouble: RunRow.shape.callTrouble,
  estimated: z.boolean(),
  atMost: z.boolean(),
  waitedForPeopleMs: RunRow.shape.waitedForPeopleMs,
  waitedForPlaceMs: RunRow.shape.waitedForPlaceMs,
  failure: z
    .object({ category: FailureCategory, connectionId: z.string(), modelRecordId: z.string() })
    .nullable()
    .catch(null),
})
type Facts = z.infer<typeof Facts>

const noProblems = { failed: 0, denied: 0, timedOut: 0 }

/**
 * Reads which model was asked last, how many calls did not end well, how reliable the costs of these runs are, how long they
 * waited, as `waitsOf` says it, and which failure of which model ended them: the model that was asked last or would have been,
 * else the one whose answer broke off.
 */
async function readFacts(ids: readonly string[]): Promise<Map<string, Facts>> {
  const rows = await db().$queryRaw<unknown[]>`
    SELECT r.id AS "runId", coalesce(u.estimated, false) AS estimated, coalesce(u."atMost", false) AS "atMost",
      m.model, m.connection, coalesce(u.cached, 0)::float8 AS "cachedInputTokens", k.trouble AS "callTrouble",
      coalesce(p.ms, 0)::float8 AS "waitedForPeopleMs",
      coalesce(greatest(0, extract(epoch FROM b.at - r."createdAt") * 1000), 0)::float8 AS "waitedForPlaceMs",
      CASE WHEN f.category IS NOT NULL THEN jsonb_build_object('category', f.category,
        'connectionId', f.target->>'connectionId', 'modelRecordId', f.target->>'modelRecordId') END AS failure
    FROM runs r
      LEFT JOIN LATERAL (
        SELECT bool_or(estimated) AS estimated, bool_or("costAtMost") AS "atMost", sum("cachedInputTokens") AS cached
        FROM usage_records WHERE "runId" = r.id) u ON true
      LEFT JOIN LATERAL (
        SELECT jsonb_build_object('id', a."modelRecordId", 'name', coalesce(n."displayName", a."modelId")) AS model,
          CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('id', o.id, 'name', o.name) END AS connection
        FROM usage_records a LEFT JOIN models n ON n.id = a."modelRecordId"
          LEFT JOIN connections o ON o.id = a."connectionId"
        WHERE a."runId" = r.id ORDER BY a.at DESC, a.round DESC LIMIT 1) m ON true
      CROSS JOIN LATERAL (
        SELECT jsonb_build_object('failed', count(*) FILTER (WHERE c.outcome IN ('failed', 'invalid-arguments')),
          'denied', count(*) FILTER (WHERE c.outcome = 'denied'),
          'timedOut', count(*) FILTER (WHERE c.outcome = 'timed-out')) AS trouble
        FROM call_records c WHERE c."runId" = r.id) k
      LEFT JOIN LATERAL (
        SELECT sum(greatest(0, extract(epoch FROM greatest(w.decided, CASE WHEN w.open > 0 THEN r."endedAt" END) - w.requested) * 1000)) AS ms
        FROM (
          SELECT min(e.at) FILTER (WHERE e.type = 'approval-request') AS requested,
            max(e.at) FILTER (WHERE e.type = 'approval-decision') AS decided,
            count(*) FILTER (WHERE e.type = 'approval-request') - count(*) FILTER (WHERE e.type = 'approval-decision') AS open
          FROM (SELECT a."runId" FROM approvals a WHERE a."runId" = r.id LIMIT 1) asking
            JOIN run_events e ON e."runId" = asking."runId"
          WHERE e.type IN ('approval-request', 'approval-decision')
          GROUP BY e.data->'round') w) p ON true
      LEFT JOIN LATERAL (
        SELECT e.at FROM run_events e
        WHERE e."runId" = r.id AND e.type = 'round-start' ORDER BY e.seq LIMIT 1) b ON true
      LEFT JOIN LATERAL (
        SELECT e.data->'failure'->>'category' AS category,
          s.data->'snapshot'->'targets'->coalesce((e.data->'failedCall'->>'target')::int, (
            SELECT (m.data->>'target')::int FROM run_events m
            WHERE m."runId" = r.id AND m.type = 'message' ORDER BY m.seq DESC LIMIT 1)) AS target
        FROM run_events e JOIN run_events s ON s."runId" = e."runId" AND s.type = 'run-start'
        WHERE e."runId" = r.id AND e.type = 'run-end') f ON r."endReason" IN ('provider-error', 'context')
    WHERE r.id = ANY(${ids}::uuid[])`
  return new Map(rows.map((row) => Facts.parse(row)).map((facts) => [facts.runId, facts]))
}

function toRow(run: RunWithNames, facts?: Facts, waiting?: Waiting): RunRow {
  return {
    runId: run.id,
    status: run.status,
    waiting: waiting ?? null,
    endReason: toEndReason(run.endReason),
    truncated: run.truncated,
    notStarted: run.notStarted,
    failure: facts?.failure ?? null,
    prompt: run.prompt.slice(0, excerptCharacters),
    configurationId: run.configurationId,
    configurationName: run.configuration?.name ?? wordFor(run.request),
    task: run.task,
    userEmail: run.user.email,
    userName: run.user.name,
    model: facts?.model ?? null,
    connection: facts?.connection ?? null,
    callTrouble: facts?.callTrouble ?? noProblems,
    source: toSource(run.source),
    rounds: run.rounds,
    calls: run.calls,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    cachedInputTokens: facts?.cachedInputTokens ?? 0,
    costMicroUsd: run.costMicroUsd === null ? null : Number(run.costMicroUsd),
    costBound: costBound({ estimated: false, atMost: false, ...facts }),
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    waitedForPeopleMs: facts?.waitedForPeopleMs ?? 0,
    waitedForPlaceMs: facts?.waitedForPlaceMs ?? 0,
    ...toMarks(run),
  }
}
