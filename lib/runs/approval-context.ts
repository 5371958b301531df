import 'server-only'
import { z } from 'zod'
import { isUntrusted } from '@/lib/engines/runtime/policy/untrusted-reads'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { Tx } from '@/lib/kernel/db'
import type { ApprovalContext } from '@/lib/protocol/approval-context'
import { OutcomeType } from '@/lib/protocol/tool'
import { toolsByName } from '@/lib/toolset/installed-tools'

const mostCalls = 10

const CallRow = z.object({
  runId: z.string(),
  callId: z.string(),
  toolName: z.string(),
  outcome: OutcomeType,
  /** Whether it is among the last calls of its run. */
  isLate: z.boolean(),
  /** Whether it is the first result of its tool. */
  isFirst: z.boolean(),
  total: z.int(),
})
type CallRow = z.output<typeof CallRow>

/** Returns what approvers are shown beside waiting calls, by the run and the name of the tool. */
export async function readApprovalContexts(
  client: Tx,
  runIds: readonly string[],
): Promise<(runId: string, toolName: string) => ApprovalContext> {
  if (runIds.length === 0) return () => nothing
  const tools = await toolsByName(client)
  const rows = await readCalls(client, runIds)
  const notes = await readNoteCounts(client, runIds)
  return (runId, toolName) => ({
    ...contextOf(
      rows.filter((row) => row.runId === runId),
      toolName,
      tools,
    ),
    notesInPrompt: notes.get(runId) ?? 0,
  })
}

const nothing: ApprovalContext = {
  parameters: null,
  calls: [],
  callCount: 0,
  notesInPrompt: 0,
  untrusted: [],
}

function contextOf(
  rows: readonly CallRow[],
  toolName: string,
  tools: ReadonlyMap<string, ToolDefinition>,
): Omit<ApprovalContext, 'notesInPrompt'> {
  const late = rows.filter(({ isLate }) => isLate)
  // A call waits before any other of its round starts, so the model has read every result that there is.
  const untrusted = rows.filter((row) => {
    const tool = tools.get(row.toolName)
    return row.isFirst && (!tool || isUntrusted(tool))
  })
  return {
    parameters: tools.get(toolName)?.parameters ?? null,
    calls: late.map(({ callId, toolName: name, outcome }) => ({ callId, toolName: name, outcome })),
    callCount: rows[0]?.total ?? 0,
    untrusted: untrusted.map(({ callId, toolName: name }) => ({
      ...{ callId, toolName: name },
      server: tools.get(name)?.server ?? null,
    })),
  }
}

/** Reads the last calls of each run, and the first result of each of its tools, the oldest first. */
async function readCalls(client: Tx, runIds: readonly string[]): Promise<CallRow[]> {
  const rows = await client.$queryRaw<unknown[]>`
    WITH calls AS (
      SELECT "runId", "callId", "toolName", outcome, at,
        row_number() OVER (PARTITION BY "runId" ORDER BY at DESC, "callId" DESC) <= ${mostCalls}
          AS "isLate",
        outcome = 'ok' AND row_number() OVER (
          PARTITION BY "runId", "toolName", outcome ORDER BY at, "callId") = 1 AS "isFirst",
        (count(*) OVER (PARTITION BY "runId"))::int AS total
      FROM call_records WHERE "runId" = ANY(${runIds}::uuid[]))
    SELECT "runId", "callId", "toolName", outcome, "isLate", "isFirst", total FROM calls
    WHERE "isLate" OR "isFirst" ORDER BY at, "callId"`
  return z.array(CallRow).parse(rows)
}

const NoteCount = z.object({ runId: z.string(), notes: z.int() })

/** Reads how many notes stand in the prompt of each run that has some. */
async function readNoteCounts(client: Tx, runIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT "runId", jsonb_array_length(data->'memory'->'notes') AS notes FROM run_events
    WHERE "runId" = ANY(${runIds}::uuid[]) AND seq = 1 AND type = 'run-start'
      AND data->'memory'->>'type' = 'read'`
  return new Map(
    z
      .array(NoteCount)
      .parse(rows)
      .map(({ runId, notes }) => [runId, notes]),
  )
}
