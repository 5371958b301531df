import { route } from '@toolgate/server/doors/http'
import { streamTrial, TriedChange } from '@toolgate/server/doors/stream-trial'

/** Tries a change of the policy on past runs, and streams how far it is. A page that is left ends it. */
export const POST = route(
  { role: 'admin', scope: null, body: TriedChange },
  async ({ body: tried, ctx, request, recheck }) => streamTrial({ tried, ctx, request, recheck }),
)
