import { AuditExport, exportAudit } from '@/lib/audit/export-audit'
import { download } from '@/lib/download'
import { route } from '@/lib/http'

/** Streams an export of the audit. The export itself is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: AuditExport },
  async ({ ctx, query }) => download('audit', query.format, await exportAudit(ctx, query)),
)
