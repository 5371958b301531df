import { z } from 'zod'
import { channels } from '@/lib/domains/channels/shape'
import { channelVerbs, testChannel } from '@/lib/domains/channels/verbs'
import { serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'

export const channelEndpoints = [
  ...resourceEndpoints(channels, channelVerbs),
  serve('POST', '/channels/{id}/test', testChannel, {
    answers: { 200: z.object({ isAccepted: z.boolean(), trouble: z.string().nullable() }) },
    answer: ({ output }) => Response.json(output),
  }),
]
