import { UsageFilter } from '@/lib/domains/usage/usage-filter'
import { usageReport } from '@/lib/domains/usage/usage-report'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'

const usage = route(
  { role: 'admin', scope: 'usage:read', query: UsageFilter.omit({ measure: true }).strict() },
  async ({ ctx, query }) => Response.json(await usageReport(ctx, query)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: usage })
