import 'server-only'
import type { RunEventRow } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { type Database, database, db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { waitingOf } from './approvals/read-waiting'
import { toMarks } from './mark-run'
import { requireRun } from './require-run'
import { toEndReason, toRunEvent, toSource } from './run-record'
import { RunRequest, type RunRow } from './schemas'

export type RunRecord = Omit<
  RunRow,
  | 'prompt'
  | 'configurationName'
  | 'task'
  | 'userEmail'
  | 'userName'
  | 'model'
  | 'connection'
  | 'callTrouble'
  | 'failure'
  | 'costBound'
  | 'cachedInputTokens'
  | 'waitedForPeopleMs'
  | 'waitedForPlaceMs'
> & {
  prompt: string
  userId: string
  taskId: string | null
  /** The run before it in its conversation, and the first one; null = it continues none (SPEC C1). */
  continues: string | null
  conversationId: string | null
  /** The run that it is, with a change (SPEC C1a); null = none. */
  changedFrom: string | null
  /** The values of its task's variables; none without a task. */
  variables: RunRequest['variables']
  /** The tools picked for it; null = all. */
  tools: RunRequest['tools']
}

/** Returns one run with its whole journal, in order. */
export async function readRun(
  ctx: Ctx,
  runId: string,
): Promise<RunRecord & { events: RunEvent[] }> {
  const record = await readRunRecord(ctx, runId)
  return { ...record, events: await readJournal(runId) }
}

/** Returns the journal of a run. A long one has 10,000 events, so that nothing stands between them and the driver. */
export async function readJournal(
  runId: string,
  { pool }: Pick<Database, 'pool'> = database(),
): Promise<RunEvent[]> {
  const { rows } = await pool.query<RunEventRow>(
    `SELECT "runId", seq, type, data, at AT TIME ZONE 'UTC' AS at
     FROM run_events WHERE "runId" = $1::uuid ORDER BY seq`,
    [runId],
  )
  return rows.map(toRunEvent)
}

/** Returns one run without its journal. */
export async function readRunRecord(ctx: Ctx, runId: string): Promise<RunRecord> {
  const run = await requireRun(ctx, runId)
  const { variables, tools } = RunRequest.parse(run.request)
  return {
    runId: run.id,
    userId: run.userId,
    configurationId: run.configurationId,
    taskId: run.taskId,
    continues: run.continues,
    conversationId: run.conversationId,
    changedFrom: run.changedFrom,
    variables,
    tools,
    status: run.status,
    waiting: (await waitingOf(ctx, [run])).get(run.id) ?? null,
    endReason: toEndReason(run.endReason),
    truncated: run.truncated,
    notStarted: run.notStarted,
    prompt: run.prompt,
    source: toSource(run.source),
    rounds: run.rounds,
    calls: run.calls,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    costMicroUsd: run.costMicroUsd === null ? null : Number(run.costMicroUsd),
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    ...toMarks(run),
  }
}

/** Returns the text that a call returned, the whole of it where that is kept (at most 5 MiB). Throws NotFoundError for one without. */
export async function readCallText(ctx: Ctx, runId: string, callId: string): Promise<string> {
  await requireRun(ctx, runId)
  const whole = await db().callResult.findUnique({ where: { runId_callId: { runId, callId } } })
  if (whole) return whole.content
  const [row] = await db().$queryRaw<{ content: string | null }[]>`
    SELECT data->'outcome'->>'content' AS content FROM (
      SELECT type, data FROM run_events WHERE "runId" = ${runId}::uuid AND type = 'call-end'
      UNION ALL SELECT copy->'body'->>'type', copy->'body'->'data'
      FROM run_events CROSS JOIN LATERAL jsonb_array_elements(data->'events') AS copy
      WHERE "runId" = ${runId}::uuid AND seq = 2 AND type = 'copied') AS ends
    WHERE type = 'call-end' AND data->>'callId' = ${callId} AND data->'outcome'->>'type' = 'ok'`
  if (row?.content == null) throw new NotFoundError('This result')
  return row.content
}

/** Returns the whole result of one call (UTF-8 text, at most 5 MiB); the journal holds only its beginning. */
export async function readCallResult(ctx: Ctx, runId: string, callId: string): Promise<string> {
  await requireRun(ctx, runId)
  const result = await db().callResult.findUnique({ where: { runId_callId: { runId, callId } } })
  if (!result) throw new NotFoundError('This result')
  return result.content
}
