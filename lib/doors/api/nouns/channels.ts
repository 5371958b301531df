import { z } from 'zod'
import { testChannel } from '@/lib/domains/channels/verbs'
import { serve } from '@/lib/doors/api/endpoint'

export const channelEndpoints = [
  serve('POST', '/channels/{id}/test', testChannel, {
    answers: { 200: z.object({ isAccepted: z.boolean(), trouble: z.string().nullable() }) },
    answer: ({ output }) => Response.json(output),
  }),
]
