import { download } from '@/lib/download'
import { route } from '@/lib/http'
import { exportUsage, UsageExport } from '@/lib/usage/export-usage'

/** Usage records to take along, piece by piece; that they were taken is audited. */
export const GET = route(
  { role: 'admin', scope: null, query: UsageExport },
  async ({ ctx, query }) => download('usage', query.format, await exportUsage(ctx, query)),
)
