import { z } from 'zod'
import { readSettings } from '../../domains/settings/read-settings'
import { isAboutSignIn, UpdateSettings } from '../../domains/settings/site-settings'
import { updateSettings } from '../../domains/settings/update-settings'
import { AnyObject, endpoint } from './endpoint'

const Settings = z.object({ settings: AnyObject })

export const settingEndpoints = [
  endpoint(
    'GET',
    '/settings',
    {
      role: 'admin',
      scope: 'settings:read',
      summary: 'Returns the settings of the site.',
      answers: { 200: Settings },
    },
    async ({ ctx }) => Response.json({ settings: await readSettings(ctx) }),
  ),
  endpoint(
    'PATCH',
    '/settings',
    {
      role: 'admin',
      scope: 'settings:write',
      body: UpdateSettings.strict(),
      confirmed: isAboutSignIn,
      summary: 'Changes settings; fields that are left out stay.',
      answers: { 200: Settings },
    },
    async ({ ctx, body }) => Response.json({ settings: await updateSettings(ctx, body) }),
  ),
]
