import { route } from '@toolgate/server/doors/http'
import { streamRuns } from '@toolgate/server/runs/journal/watch-run'

/** Serves the one event stream of a browser (SPEC J3). HEAD answers with the status that GET would have. */
const watch = route({ role: 'member', scope: null }, ({ ctx, request, recheck }) =>
  streamRuns({ ctx, request, recheck }),
)

export { watch as GET, watch as HEAD }
