'use server'
import { action } from '@/lib/kernel/action'
import { markRun } from '@/lib/runs/mark-run'
import { cancelRun, chooseCostCap } from '@/lib/runs/verbs'

export const stopRun = action(cancelRun)
export const changeMarks = action(markRun)
export const decideCostCap = action(chooseCostCap)
