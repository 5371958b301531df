import { budgets } from '../../domains/budgets/shape'
import { budgetVerbs } from '../../domains/budgets/verbs'
import { readUsageReport } from '../../domains/usage/reads'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const budgetEndpoints = resourceEndpoints(budgets, budgetVerbs)

export const usageEndpoints = [serve('GET', '/usage', readUsageReport)]
