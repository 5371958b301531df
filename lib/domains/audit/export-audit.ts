import type { z } from 'zod'
import { ExportFormat, ExportPieces, exportPieces } from '@/lib/edge/download'
import { changed, verb } from '@/lib/edge/verb'
import { AuditFilter } from './audit-filter'
import type { AuditRow } from './audit-row'
import { readAuditPage } from './list-audit'

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

/** The audit has the export before the first piece. Memory holds one page of entries at a time. */
export const exportAudit = verb({
  name: 'audit.export',
  role: 'admin',
  scope: null,
  summary: 'Exports all entries of the audit that match, the newest first. The export is audited.',
  input: AuditExport,
  output: ExportPieces,
  run: async (_context, { format, ...filter }) => {
    const pieces = exportPieces(format, columns, (cursor) =>
      readAuditPage({ ...filter, cursor, limit: pageSize }),
    )
    return changed(pieces, { subject: null, after: { format, ...filter } })
  },
})
