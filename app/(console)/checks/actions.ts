'use server'
import { deleteCheck } from '@toolgate/server/domains/checks/verbs'
import { updateCheck } from '@toolgate/server/joined-verbs'
import {
  exportChecks as exportVerb,
  importChecks as importVerb,
} from '@toolgate/server/runs/checks/carry-checks'
import { runCheck, runSuite, stopCheckRun } from '@toolgate/server/runs/checks/start-check'
import { action } from '@/lib/next/action'

const refresh = '/checks'

export const startCheck = action(runCheck, { refresh })
export const startSuite = action(runSuite, { refresh })
export const stopRunOfCheck = action(stopCheckRun, { refresh })
export const saveCheck = action(updateCheck, { refresh })
export const removeCheck = action(deleteCheck, { refresh })
export const exportChecks = action(exportVerb)
export const importChecks = action(importVerb, { refresh })
