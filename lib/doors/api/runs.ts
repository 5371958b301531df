import { streamRunEvents } from '../../runs/journal/stream-events'
import { endpoint } from './endpoint'

export const runEndpoints = [
  endpoint(
    'GET',
    '/runs/{id}/events',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Follows the journal of a run as server-sent events, live until the run ends.',
      answers: { 200: 'text/event-stream' },
    },
    ({ ctx, request, params: { id = '' }, recheck }) =>
      streamRunEvents({ ctx, request, runId: id, recheck }),
  ),
]
