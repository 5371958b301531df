import { route } from '@/lib/kernel/http'
import { streamRunEvents } from '@/lib/runs/journal/stream-events'
import { onlyMethods } from '../../../only-methods'

const watch = route({ role: 'member', scope: 'runs:read' }, ({ ctx, request, params, recheck }) =>
  streamRunEvents({ ctx, request, runId: params.runId ?? '', recheck }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: watch })
