import 'server-only'
import { z } from 'zod'
import type { ApprovalContext } from '@/lib/domains/approvals/shared/approval-context'
import { isUntrusted } from '@/lib/engines/runtime/policy/untrusted-reads'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { CopiedRounds } from '@/lib/protocol/run/run-event'
import { OutcomeType } from '@/lib/protocol/tool'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'

const mostCalls = 10

const CallRow = z.object({
  runId: z.string(),
  /** The run of the call: `runId`, or one before it in its conversation. */
  turn: z.string(),
  callId: z.string(),
  toolName: z.string(),
  outcome: OutcomeType,
  /** It is among the last calls of its run. */
  isLate: z.boolean(),
  /** It is the first result of its tool in the conversation. */
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
  const copied = await readCopied(client, runIds)
  const rows = [...copied.calls, ...(await readCalls(client, runIds))]
  const notes = await readNoteCounts(client, runIds)
  return (runId, toolName) => {
    const { edits, fixed } = copied.writtenIn(runId)
    const results = edits.filter(({ what }) => what === 'result')
    const written = new Set([...fixed, ...results.flatMap(({ toolName: name }) => name ?? [])])
    const own = rows.filter((row) => row.runId === runId)
    return {
      ...contextOf(own, toolName, { tools, written }),
      notesInPrompt: notes.get(runId) ?? 0,
      edits,
      fixed,
    }
  }
}

const nothing: ApprovalContext = {
  parameters: null,
  calls: [],
  callCount: 0,
  notesInPrompt: 0,
  untrusted: [],
  edits: [],
  fixed: [],
}

function contextOf(
  rows: readonly CallRow[],
  toolName: string,
  { tools, written }: { tools: ReadonlyMap<string, ToolDefinition>; written: ReadonlySet<string> },
): Omit<ApprovalContext, 'notesInPrompt' | 'edits' | 'fixed'> {
  const late = rows.filter(({ isLate }) => isLate)
  // A call waits before any other of its round starts, so the model has read every result that there is.
  const firsts = rows.filter(({ isFirst }) => isFirst)
  const untrusted = firsts.filter((row, place) => {
    const tool = tools.get(row.toolName)
    const isSame = ({ toolName: name }: CallRow) => name === row.toolName
    const isOthers = !tool || isUntrusted(tool) || written.has(row.toolName)
    return isOthers && firsts.findIndex(isSame) === place
  })
  return {
    parameters: tools.get(toolName)?.parameters ?? null,
    calls: late.map(({ callId, toolName: name, outcome }) => ({ callId, toolName: name, outcome })),
    callCount: late[0]?.total ?? 0,
    untrusted: untrusted.map(({ callId, turn, toolName: name }) => ({
      callId,
      turn,
      toolName: name,
      server: tools.get(name)?.server ?? null,
    })),
  }
}

/** The runs of which contexts are asked, each with itself and with the runs before it in its conversation. */
const turnsOf = (runIds: readonly string[]) => Prisma.sql`
  turns AS (
    SELECT id AS "runId", id AS turn, "continues" FROM runs WHERE id = ANY(${[...runIds]}::uuid[])
    UNION ALL
    SELECT t."runId", r.id, r."continues" FROM turns t JOIN runs r ON r.id = t."continues")`

/** Reads the last calls of each run, and the first result of each tool of its conversation, the oldest first. */
async function readCalls(client: Tx, runIds: readonly string[]): Promise<CallRow[]> {
  const rows = await client.$queryRaw<unknown[]>`
    WITH RECURSIVE ${turnsOf(runIds)}, calls AS (
      SELECT t."runId", t.turn, c."callId", c."toolName", c.outcome, c.at,
        t.turn = t."runId" AND row_number() OVER (
          PARTITION BY t."runId", t.turn ORDER BY c.at DESC, c."callId" DESC) <= ${mostCalls} AS "isLate",
        c.outcome = 'ok' AND row_number() OVER (
          PARTITION BY t."runId", c."toolName", c.outcome ORDER BY c.at, c."callId") = 1 AS "isFirst",
        (count(*) OVER (PARTITION BY t."runId", t.turn))::int AS total
      FROM turns t JOIN call_records c ON c."runId" = t.turn)
    SELECT "runId", turn, "callId", "toolName", outcome, "isLate", "isFirst", total FROM calls
    WHERE "isLate" OR "isFirst" ORDER BY at, "callId"`
  return z.array(CallRow).parse(rows)
}

const CopiedRow = z.object({
  runId: z.string(),
  turn: z.string(),
  edits: CopiedRounds.shape.edits,
  fixed: z.array(z.string()),
  calls: z.array(z.object({ callId: z.string(), toolName: z.string(), outcome: OutcomeType })),
})

/** Reads what runs, or the turns before them, have from other runs: calls, and what people wrote of it. */
async function readCopied(client: Tx, runIds: readonly string[]) {
  const rows = await client.$queryRaw<unknown[]>`
    WITH RECURSIVE ${turnsOf(runIds)}
    SELECT t."runId", t.turn, e.data->'edits' AS edits, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('callId', c->'body'->'data'->'callId',
        'toolName', c->'body'->'data'->'name', 'outcome', c->'body'->'data'->'outcome'->'type')), '[]')
      FROM jsonb_array_elements(e.data->'events') AS c WHERE c->'body'->>'type' = 'call-end') AS calls, (
      SELECT coalesce(jsonb_agg(s.key ORDER BY s.key), '[]') FROM run_events b, jsonb_each(coalesce(b.data->'fork', b.data->'check')->'sources') AS s
      WHERE b."runId" = t.turn AND b.seq = 1 AND s.value->>'type' = 'fixed') AS fixed
    FROM turns t JOIN run_events e ON e."runId" = t.turn AND e.seq = 2 AND e.type = 'copied'`
  const copied = z.array(CopiedRow).parse(rows)
  return {
    calls: copied.flatMap(({ runId, turn, calls }) =>
      calls.map((call): CallRow => {
        const isFirst = call.outcome === 'ok'
        return { ...call, runId, turn, isLate: false, isFirst, total: 0 }
      }),
    ),
    writtenIn: (runId: string) => {
      const own = copied.filter((row) => row.runId === runId)
      return {
        edits: own.flatMap(({ edits, calls }) =>
          edits.map(({ callId, ...edit }) => {
            const call = calls.find((each) => each.callId === callId)
            return { ...edit, toolName: call?.toolName ?? null }
          }),
        ),
        fixed: [...new Set(own.flatMap(({ fixed }) => fixed))],
      }
    },
  }
}

const NoteCount = z.object({ runId: z.string(), notes: z.int() })

/** Reads how many notes stand in the prompt of each run that has some. */
async function readNoteCounts(client: Tx, runIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await client.$queryRaw<unknown[]>`
    WITH RECURSIVE ${turnsOf(runIds)}
    SELECT t."runId", sum(jsonb_array_length(e.data->'memory'->'notes'))::int AS notes
    FROM turns t JOIN run_events e ON e."runId" = t.turn AND e.seq = 1 AND e.type = 'run-start'
      AND e.data->'memory'->>'type' = 'read'
    GROUP BY t."runId"`
  return new Map(
    z
      .array(NoteCount)
      .parse(rows)
      .map(({ runId, notes }) => [runId, notes]),
  )
}
