import { route } from '@/lib/http'
import { streamRunEvents } from '@/lib/runs/stream-events'

/** The page's own stream (SPEC J3). HEAD says with which status it would answer. */
const watch = route({ role: 'member', scope: null }, ({ ctx, request, params, recheck }) =>
  streamRunEvents({ ctx, request, runId: params.runId ?? '', recheck }),
)

export { watch as GET, watch as HEAD }
