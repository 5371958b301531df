import { route } from '@/lib/kernel/http'

/**
 * Sent once a minute while somebody uses a page. Like every request that does not only read, it keeps the session from
 * ending as idle. It does nothing else.
 */
export const POST = route(
  { role: 'member', scope: null },
  async () => new Response(null, { status: 204 }),
)
