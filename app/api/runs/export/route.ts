import { route } from '@toolgate/server/doors/http'
import { download } from '@toolgate/server/edge/download'
import { exportRuns, RunExport } from '@toolgate/server/runs/lists/export-runs'

/** Streams an export of runs. The export is audited. */
export const GET = route(
  { role: 'member', scope: null, query: RunExport },
  async ({ ctx, query }) => download('runs', query.format, await exportRuns(ctx, query)),
)
