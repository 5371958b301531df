import { UsageFilter } from '../../domains/usage/usage-filter'
import { usageReport } from '../../domains/usage/usage-report'
import { AnyObject, endpoint } from './endpoint'

export const usageEndpoints = [
  endpoint(
    'GET',
    '/usage',
    {
      role: 'admin',
      scope: 'usage:read',
      query: UsageFilter.omit({ measure: true }).strict(),
      summary: 'Returns the usage of a period and of the one before.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, query }) => Response.json(await usageReport(ctx, query)),
  ),
]
