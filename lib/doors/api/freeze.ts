import { z } from 'zod'
import { freezeSite, getFreeze, unfreezeSite } from '../../domains/settings/freeze'
import { Freeze } from '../../domains/settings/read-freeze'
import { serve } from './endpoint'

const answers = { 200: z.object({ freeze: Freeze.nullable() }) }

export const freezeEndpoints = [
  serve('GET', '/freeze', getFreeze, {
    answers,
    answer: ({ output }) => Response.json({ freeze: output }),
  }),
  serve('PUT', '/freeze', freezeSite, {
    answers,
    answer: ({ output }) => Response.json({ freeze: output }),
  }),
  serve('DELETE', '/freeze', unfreezeSite, {
    answers,
    answer: () => Response.json({ freeze: null }),
  }),
]
