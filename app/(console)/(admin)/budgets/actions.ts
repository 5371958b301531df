'use server'
import { seeAlerts } from '@toolgate/server/domains/budgets/list-alerts'
import { setModelPrice } from '@toolgate/server/domains/models/price-verbs'
import { action } from '@/lib/next/action'

export const addPrice = action(setModelPrice)
export const markAlertsSeen = action(seeAlerts)
