import { route } from '@toolgate/server/doors/http'

/**
 * Keeps the session from ending as idle, like every request that does not only read, and does nothing else. Pages send it
 * once a minute while somebody uses them.
 */
export const POST = route(
  { role: 'member', scope: null },
  async () => new Response(null, { status: 204 }),
)
