import { z } from 'zod'
import { freezeSite, getFreeze, unfreezeSite } from '@/lib/domains/settings/freeze'
import { Freeze } from '@/lib/domains/settings/read-freeze'
import { SiteSettings } from '@/lib/domains/settings/shape'
import { readSettings, updateSettings } from '@/lib/domains/settings/verbs'
import { serve } from '@/lib/doors/api/endpoint'

const settings = {
  answers: { 200: z.object({ settings: SiteSettings }) },
  answer: ({ output }: { output: SiteSettings }) => Response.json({ settings: output }),
}

export const settingEndpoints = [
  serve('GET', '/settings', readSettings, settings),
  serve('PATCH', '/settings', updateSettings, settings),
]

const frozen = { 200: z.object({ freeze: Freeze.nullable() }) }

export const freezeEndpoints = [
  serve('GET', '/freeze', getFreeze, {
    answers: frozen,
    answer: ({ output }) => Response.json({ freeze: output }),
  }),
  serve('PUT', '/freeze', freezeSite, {
    answers: frozen,
    answer: ({ output }) => Response.json({ freeze: output }),
  }),
  serve('DELETE', '/freeze', unfreezeSite, {
    answers: frozen,
    answer: () => Response.json({ freeze: null }),
  }),
]
