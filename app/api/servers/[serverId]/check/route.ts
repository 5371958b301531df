import { route } from '@toolgate/server/doors/http'
import { streamCheck } from '@toolgate/server/doors/stream-check'

/** Checks a server for its page, which shows each message as it passes. A page that is left ends the check. */
export const POST = route({ role: 'admin', scope: null }, async ({ params, ...input }) =>
  streamCheck({ id: params.serverId ?? '', ...input }),
)
