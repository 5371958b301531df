import { z } from 'zod'
import { ExportFormat, ExportPieces, exportPieces } from '@/lib/edge/download'
import { changed, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { db } from '@/lib/kernel/db'
import { UsagePeriod, UsageScope } from './usage-filter'
import { usageConditions } from './usage-sql'
import { type UsageWindow, usageWindow } from './usage-window'

const pageSize = 1_000

export const UsageExport = UsageScope.extend({
  period: UsagePeriod.default('30d'),
  format: ExportFormat,
})
export type UsageExport = z.infer<typeof UsageExport>

const figure = z.coerce.number()

/** One model request, without its prompt. Cost in micro-USD, null = unpriced. */
const UsageRow = z.object({
  at: z.string(),
  runId: z.string(),
  round: figure,
  user: z.string().nullable(),
  configuration: z.string().nullable(),
  connection: z.string().nullable(),
  model: z.string(),
  inputTokens: figure,
  cachedInputTokens: figure,
  cacheWriteTokens: figure,
  outputTokens: figure,
  reasoningTokens: figure,
  estimated: z.boolean(),
  costMicroUsd: figure.nullable(),
  costAtMost: z.boolean(),
  reportedCostMicroUsd: figure.nullable(),
  latencyMs: figure,
  retries: figure,
  retried: z.boolean(),
  fallback: z.boolean(),
  errorCategory: z.string().nullable(),
  id: z.string(),
})
type UsageRow = z.infer<typeof UsageRow>

const columns = Object.keys(UsageRow.shape) as (keyof UsageRow)[]

/** The audit has the export before the first piece. Memory holds one page of records at a time. */
export const exportUsage = verb({
  name: 'usage.export',
  role: 'admin',
  scope: null,
  summary: 'Exports every model request of a period, the oldest first. The export is audited.',
  input: UsageExport,
  output: ExportPieces,
  run: async (_context, { format, period, ...scope }) => {
    const window = usageWindow(period, new Date())
    const pieces = exportPieces(format, columns, (cursor) => readPage(window, scope, cursor))
    return changed(pieces, { subject: null, after: { format, period, ...scope } })
  },
})

async function readPage(window: UsageWindow, scope: UsageScope, cursor: string | undefined) {
  const rows = await db().$queryRaw<unknown[]>`
    SELECT to_char(r.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, r."runId", r.round, u.email AS user,
      c.identifier AS configuration, k.name AS connection, r."modelId" AS model, r."inputTokens",
      r."cachedInputTokens", r."cacheWriteTokens", r."outputTokens", r."reasoningTokens", r.estimated,
      r."costMicroUsd", r."costAtMost", r."reportedCostMicroUsd", r."latencyMs", r.retries, r.retried, r.fallback, r."errorCategory", r.id
    FROM usage_records r
      LEFT JOIN users u ON u.id = r."userId"
      LEFT JOIN configurations c ON c.id = r."configurationId"
      LEFT JOIN connections k ON k.id = r."connectionId"
    WHERE ${usageConditions(window, scope)} AND ${afterCursor(cursor)}
    ORDER BY r.at, r.id
    LIMIT ${pageSize + 1}`
  const parsed = z.array(UsageRow).parse(rows)
  const page = parsed.slice(0, pageSize)
  return { rows: page, nextCursor: parsed.length > pageSize ? (page.at(-1)?.id ?? null) : null }
}

function afterCursor(cursor: string | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`true`
  return Prisma.sql`(r.at, r.id) > (
    SELECT seen.at, seen.id FROM usage_records seen WHERE seen.id = ${cursor}::uuid)`
}
