import { AuditExport, exportAudit } from '@/lib/audit/export-audit'
import { download } from '@/lib/download'
import { route } from '@/lib/http'

/** The audit to take along, piece by piece; that it was taken is audited itself. */
export const GET = route(
  { role: 'admin', scope: null, query: AuditExport },
  async ({ ctx, query }) => download('audit', query.format, await exportAudit(ctx, query)),
)
