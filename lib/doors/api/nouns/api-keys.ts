import { z } from 'zod'
import { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import { listApiKeys } from '@/lib/domains/api-keys/verbs'
import { endpoint, serve } from '@/lib/doors/api/endpoint'
import { limitApiKey } from '@/lib/joined-verbs'

export const apiKeyEndpoints = [
  endpoint(
    'GET',
    '/api-keys',
    {
      role: 'admin',
      scope: 'api-keys:read',
      summary:
        'Lists API keys, newest first, with what they are limited to; never the keys themselves.',
      answers: { 200: z.object({ keys: z.array(ApiKeyListing) }) },
    },
    async ({ ctx }) => Response.json({ keys: await listApiKeys(ctx) }),
  ),
  serve('PATCH', '/api-keys/{id}', limitApiKey),
]
