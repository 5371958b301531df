'use server'
import { action } from '@/lib/kernel/action'
import { cancelRun, chooseCostCap } from '@/lib/runs/verbs'

export const stopRun = action(cancelRun)
export const decideCostCap = action(chooseCostCap)
