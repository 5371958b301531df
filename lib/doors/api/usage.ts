import { readUsageReport } from '../../domains/usage/reads'
import { serve } from './endpoint'

export const usageEndpoints = [serve('GET', '/usage', readUsageReport)]
