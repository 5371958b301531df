import { freezeSite } from '@/lib/domains/settings/freeze-site'
import { getFreeze } from '@/lib/domains/settings/get-freeze'
import { FreezeSite, UnfreezeSite } from '@/lib/domains/settings/schemas'
import { unfreezeSite } from '@/lib/domains/settings/unfreeze-site'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'

const show = route({ role: 'member', scope: 'tools:read' }, async ({ ctx }) =>
  Response.json({ freeze: await getFreeze(ctx) }),
)

const freeze = route(
  { role: 'admin', scope: 'tools:write', body: FreezeSite.strict() },
  async ({ ctx, body }) => Response.json({ freeze: await freezeSite(ctx, body) }),
)

/** Succeeds when the site is not frozen, because the requested state holds. */
const unfreeze = route(
  { role: 'admin', scope: 'tools:write', query: UnfreezeSite },
  async ({ ctx, query }) => {
    await unfreezeSite(ctx, query)
    return Response.json({ freeze: null })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PUT: freeze,
  DELETE: unfreeze,
})
