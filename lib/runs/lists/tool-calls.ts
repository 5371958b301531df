import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { OutcomeType } from '@/lib/protocol/tool'

/**
 * A call that ended. `argumentsText`: what it ran with, which a person may have edited; null = its run keeps no arguments any
 * more. `at` is ISO text in UTC.
 */
export const EndedCall = z.object({
  runId: z.string(),
  callId: z.string(),
  by: z.string(),
  argumentsText: z.string().nullable(),
  isEdited: z.boolean(),
  outcome: OutcomeType,
  durationMs: z.number(),
  at: z.string(),
})
export type EndedCall = z.output<typeof EndedCall>

/**
 * The calls are found by their index; their arguments in the messages of their runs, by primary key. A call of a copied round runs
 * only after a person edited its arguments.
 */
export const listToolCalls = verb({
  name: 'tool.calls',
  role: 'admin',
  scope: null,
  summary: 'Lists the newest calls of a tool that ended, with their arguments.',
  input: z.object({ name: z.string(), most: z.int().min(1).max(100).default(20) }),
  output: z.array(EndedCall),
  transaction: false,
  run: async (_context, { name, most }) => {
    const rows = await db().$queryRaw<unknown[]>`
      WITH newest AS (
        SELECT * FROM call_records WHERE "toolName" = ${name} ORDER BY at DESC LIMIT ${most})
      SELECT c."runId", c."callId", u.email AS by,
        coalesce(a."editedArguments", answer."argumentsText") AS "argumentsText",
        a."editedArguments" IS NOT NULL OR coalesce(answer."isCopied", false) AS "isEdited", c.outcome, c."durationMs",
        to_char(c.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM newest c JOIN users u ON u.id = c."userId"
      LEFT JOIN approvals a ON a."runId" = c."runId" AND a."callId" = c."callId"
      LEFT JOIN LATERAL (
        SELECT call->>'argumentsText' AS "argumentsText", "isCopied"
        FROM (
          SELECT e.data AS message, false AS "isCopied" FROM run_events e
          WHERE e."runId" = c."runId" AND e.type = 'message'
          UNION ALL SELECT copy->'body'->'data', true
          FROM run_events e CROSS JOIN LATERAL jsonb_array_elements(e.data->'events') AS copy
          WHERE e."runId" = c."runId" AND e.seq = 2 AND e.type = 'copied'
            AND copy->'body'->>'type' = 'message') messages
        CROSS JOIN LATERAL jsonb_array_elements(message->'toolCalls') AS call
        WHERE call->>'callId' = c."callId"
        LIMIT 1) answer ON true
      ORDER BY c.at DESC, c."callId"`
    return z.array(EndedCall).parse(rows)
  },
})
