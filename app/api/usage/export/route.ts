import { download } from '@/lib/download'
import { route } from '@/lib/http'
import { exportUsage, UsageExport } from '@/lib/usage/export-usage'

/** Streams an export of usage records. The export is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: UsageExport },
  async ({ ctx, query }) => download('usage', query.format, await exportUsage(ctx, query)),
)
