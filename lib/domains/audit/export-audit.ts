import type { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ExportFormat, exportPieces } from '../../kernel/download'
import { parseInput } from '../../kernel/parse-input'
import { AuditFilter } from './audit-filter'
import type { AuditRow } from './audit-row'
import { readAuditPage } from './list-audit'
import { recordAudit } from './record-audit'

const pageSize = 500

export const AuditExport = AuditFilter.omit({ cursor: true, limit: true }).extend({
  format: ExportFormat,
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
  'kind',
  'count',
  'lastAt',
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
  return exportPieces(format, columns, (cursor) =>
    readAuditPage({ ...filter, cursor, limit: pageSize }),
  )
}
