import { z } from 'zod'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { parseInput } from '../parse-input'
import { AuditFilter } from './audit-filter'
import type { AuditRow } from './audit-row'
import { csvLine } from './csv-line'
import { readAuditPage } from './list-audit'
import { recordAudit } from './record-audit'

const pageSize = 500

export const AuditExport = AuditFilter.omit({ cursor: true, limit: true }).extend({
  format: z.enum(['csv', 'ndjson']),
})
export type AuditExport = z.infer<typeof AuditExport>

const columns = [
  'at',
  'actor',
  'actorId',
  'action',
  'objectType',
  'objectId',
  'reason',
  'ipAddress',
  'before',
  'after',
  'id',
] as const satisfies (keyof AuditRow)[]

/**
 * Everything that fits, newest first, as text in pieces; memory holds one page at a time. That somebody took it along
 * is audited before the first piece. Admins only.
 */
export async function exportAudit(ctx: Ctx, input: AuditExport): Promise<AsyncGenerator<string>> {
  requireRole(ctx, 'admin')
  const { format, ...filter } = parseInput(AuditExport, input)
  await withTransaction((tx) =>
    recordAudit(tx, ctx, {
      action: 'audit.export',
      objectType: 'audit',
      objectId: null,
      after: { format, ...filter },
    }),
  )
  return pieces(format, { ...filter, limit: pageSize })
}

async function* pieces(format: AuditExport['format'], filter: AuditFilter): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns)
  const write = format === 'csv' ? csvRow : jsonRow
  let cursor: string | undefined
  do {
    const page = await readAuditPage({ ...filter, cursor })
    if (page.rows.length > 0) yield page.rows.map(write).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

function jsonRow(row: AuditRow): string {
  return `${JSON.stringify(row)}\n`
}

function csvRow(row: AuditRow): string {
  const { before, after } = row
  const texts = { ...row, before: jsonText(before), after: jsonText(after) }
  return csvLine(columns.map((column) => texts[column]))
}

function jsonText(value: AuditRow['before']): string {
  return value === null ? '' : JSON.stringify(value)
}
