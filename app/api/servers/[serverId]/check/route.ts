import { route } from '@/lib/doors/http'
import { streamCheck } from '@/lib/doors/stream-check'

/** Checks a server for its page, which shows each message as it passes. A page that is left ends the check. */
export const POST = route({ role: 'admin', scope: null }, async ({ params, ...input }) =>
  streamCheck({ id: params.serverId ?? '', ...input }),
)
