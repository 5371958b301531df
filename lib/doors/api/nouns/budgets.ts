import { budgets } from '@/lib/domains/budgets/shape'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { readUsageReport } from '@/lib/domains/usage/reads'
import { serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'

export const budgetEndpoints = resourceEndpoints(budgets, budgetVerbs)

export const usageEndpoints = [serve('GET', '/usage', readUsageReport)]
