import { AuditExport, exportAudit } from '@toolgate/server/domains/audit/export-audit'
import { route } from '@toolgate/server/doors/http'
import { download } from '@toolgate/server/edge/download'

/** Streams an export of the audit. The export itself is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: AuditExport },
  async ({ ctx, query }) => download('audit', query.format, await exportAudit(ctx, query)),
)
