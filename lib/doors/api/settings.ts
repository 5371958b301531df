import { z } from 'zod'
import { SiteSettings } from '../../domains/settings/shape'
import { readSettings, updateSettings } from '../../domains/settings/verbs'
import { serve } from './endpoint'

const settings = {
  answers: { 200: z.object({ settings: SiteSettings }) },
  answer: ({ output }: { output: SiteSettings }) => Response.json({ settings: output }),
}

export const settingEndpoints = [
  serve('GET', '/settings', readSettings, settings),
  serve('PATCH', '/settings', updateSettings, settings),
]
