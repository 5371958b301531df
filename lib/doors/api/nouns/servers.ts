import { z } from 'zod'
import { serve } from '@/lib/doors/api/endpoint'
import { acceptTools } from '@/lib/toolset/servers/accept-tools'
import { Account, listServerAccounts } from '@/lib/toolset/servers/accounts/verbs'
import { checkServer } from '@/lib/toolset/servers/check'
import { readConcerns } from '@/lib/toolset/servers/concerns'
import { ReviewedTool, reviewTools } from '@/lib/toolset/servers/review'

export const serverEndpoints = [
  serve('POST', '/servers/{id}/check', checkServer, { bodyIsOptional: true }),
  serve('GET', '/servers/{id}/tools', reviewTools, {
    answers: { 200: z.object({ tools: z.array(ReviewedTool) }) },
    answer: ({ output }) => Response.json({ tools: output }),
  }),
  serve('GET', '/servers/{id}/concerns', readConcerns),
  serve('GET', '/servers/{id}/accounts', listServerAccounts, {
    answers: { 200: z.object({ accounts: z.array(Account) }) },
    answer: ({ output }) => Response.json({ accounts: output }),
  }),
  serve('POST', '/servers/{id}/accept', acceptTools),
]
