import { exportUsage, UsageExport } from '@toolgate/server/domains/usage/export-usage'
import { route } from '@toolgate/server/doors/http'
import { download } from '@toolgate/server/edge/download'

/** Streams an export of usage records. The export is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: UsageExport },
  async ({ ctx, query }) => download('usage', query.format, await exportUsage(ctx, query)),
)
