import { exportUsage, UsageExport } from '@/lib/domains/usage/export-usage'
import { route } from '@/lib/doors/http'
import { download } from '@/lib/edge/download'

/** Streams an export of usage records. The export is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: UsageExport },
  async ({ ctx, query }) => download('usage', query.format, await exportUsage(ctx, query)),
)
