import { route } from '@/lib/http'

/**
 * Sent once a minute while somebody uses a page. Like every request that is no reading, it keeps the session from ending
 * as idle; nothing else is done here.
 */
export const POST = route(
  { role: 'member', scope: null },
  async () => new Response(null, { status: 204 }),
)
