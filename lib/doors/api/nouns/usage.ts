import { readUsageReport } from '@/lib/domains/usage/reads'
import { serve } from '@/lib/doors/api/endpoint'

export const usageEndpoints = [serve('GET', '/usage', readUsageReport)]
