'use server'
import { deleteCheck } from '@toolgate/server/domains/checks/verbs'
import { updateCheck } from '@toolgate/server/joined-verbs'
import { runCheck, runSuite, stopCheckRun } from '@toolgate/server/runs/checks/start-check'
import { action } from '@/lib/next/action'

const refresh = '/checks'

export const startCheck = action(runCheck, { refresh })
export const startSuite = action(runSuite, { refresh })
export const stopRunOfCheck = action(stopCheckRun, { refresh })
export const saveCheck = action(updateCheck, { refresh })
export const removeCheck = action(deleteCheck, { refresh })
