import { route } from '@/lib/http'
import { streamRunEvents } from '@/lib/runs/stream-events'

/** The event stream of the page (SPEC J3). HEAD answers with the status that GET would have. */
const watch = route({ role: 'member', scope: null }, ({ ctx, request, params, recheck }) =>
  streamRunEvents({ ctx, request, runId: params.runId ?? '', recheck }),
)

export { watch as GET, watch as HEAD }
