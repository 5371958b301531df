import { z } from 'zod'
import { serve } from '@/lib/doors/api/endpoint'
import {
  depositToken,
  disconnectAccounts,
  listOwnAccounts,
  OwnAccount,
} from '@/lib/toolset/servers/accounts/verbs'

export const accountEndpoints = [
  serve('GET', '/accounts', listOwnAccounts, {
    answer: ({ output }) => Response.json({ accounts: output }),
    answers: { 200: z.object({ accounts: z.array(OwnAccount) }) },
  }),
  serve('PUT', '/accounts/{server}', depositToken),
  serve('DELETE', '/accounts/{server}', disconnectAccounts),
]
