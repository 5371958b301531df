import { readSettings } from '@/lib/domains/settings/read-settings'
import { isAboutSignIn, UpdateSettings } from '@/lib/domains/settings/site-settings'
import { updateSettings } from '@/lib/domains/settings/update-settings'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'

const show = route({ role: 'admin', scope: 'settings:read' }, async ({ ctx }) =>
  Response.json({ settings: await readSettings(ctx) }),
)

const change = route(
  {
    role: 'admin',
    scope: 'settings:write',
    body: UpdateSettings.strict(),
    confirmed: isAboutSignIn,
  },
  async ({ ctx, body }) => Response.json({ settings: await updateSettings(ctx, body) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PATCH: change,
})
