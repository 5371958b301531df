import { download } from '@/lib/kernel/download'
import { route } from '@/lib/kernel/http'
import { exportRuns, RunExport } from '@/lib/runs/export-runs'

/** Streams an export of runs. The export is audited. */
export const GET = route(
  { role: 'member', scope: null, query: RunExport },
  async ({ ctx, query }) => download('runs', query.format, await exportRuns(ctx, query)),
)
