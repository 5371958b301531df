import { route } from '@/lib/http'
import { streamRunEvents } from '@/lib/runs/stream-events'
import { onlyMethods } from '../../../only-methods'

const watch = route({ role: 'member', scope: 'runs:read' }, ({ ctx, request, params, recheck }) =>
  streamRunEvents({ ctx, request, runId: params.runId ?? '', recheck }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: watch })
