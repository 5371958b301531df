'use server'
import { seeAlerts } from '@/lib/domains/budgets/list-alerts'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { setModelPrice } from '@/lib/domains/models/price-verbs'
import { action } from '@/lib/next/action'

export const addBudget = action(budgetVerbs.create)
export const changeBudget = action(budgetVerbs.update)
export const removeBudget = action(budgetVerbs.remove)
export const addPrice = action(setModelPrice)
export const markAlertsSeen = action(seeAlerts)
