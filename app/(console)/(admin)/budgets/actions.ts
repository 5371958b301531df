'use server'
import { seeAlerts } from '@toolgate/server/domains/budgets/list-alerts'
import { budgetVerbs } from '@toolgate/server/domains/budgets/verbs'
import { setModelPrice } from '@toolgate/server/domains/models/price-verbs'
import { action } from '@/lib/next/action'

export const addBudget = action(budgetVerbs.create)
export const changeBudget = action(budgetVerbs.update)
export const removeBudget = action(budgetVerbs.remove)
export const addPrice = action(setModelPrice)
export const markAlertsSeen = action(seeAlerts)
