import { route } from '@/lib/doors/http'
import { download } from '@/lib/edge/download'
import { exportRuns, RunExport } from '@/lib/runs/lists/export-runs'

/** Streams an export of runs. The export is audited. */
export const GET = route(
  { role: 'member', scope: null, query: RunExport },
  async ({ ctx, query }) => download('runs', query.format, await exportRuns(ctx, query)),
)
