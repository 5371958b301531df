'use server'
import { seeAlerts } from '@/lib/domains/budgets/list-alerts'
import { createBudget, deleteBudget, updateBudget } from '@/lib/domains/budgets/verbs'
import { action } from '@/lib/kernel/action'

export const addBudget = action(createBudget)
export const changeBudget = action(updateBudget)
export const removeBudget = action(deleteBudget)
export const markAlertsSeen = action(seeAlerts)
