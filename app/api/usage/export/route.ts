import { exportUsage, UsageExport } from '@/lib/domains/usage/export-usage'
import { download } from '@/lib/kernel/download'
import { route } from '@/lib/kernel/http'

/** Streams an export of usage records. The export is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: UsageExport },
  async ({ ctx, query }) => download('usage', query.format, await exportUsage(ctx, query)),
)
