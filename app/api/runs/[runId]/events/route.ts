import { route } from '@toolgate/server/doors/http'
import { streamRunEvents } from '@toolgate/server/runs/journal/watch-run'

/** Serves the event stream of the page (SPEC J3). HEAD answers with the status that GET would have. */
const watch = route({ role: 'member', scope: null }, ({ ctx, request, params, recheck }) =>
  streamRunEvents({ ctx, request, runId: params.runId ?? '', recheck }),
)

export { watch as GET, watch as HEAD }
