'use server'
import { allowGroup } from '@toolgate/server/domains/configurations/policy-verbs'
import { readEditableConfiguration } from '@toolgate/server/domains/configurations/reads'
import {
  cloneConfiguration,
  deleteConfiguration,
} from '@toolgate/server/domains/configurations/verbs'
import { restoreConfigurationVersion } from '@toolgate/server/domains/configurations/version-verbs'
import {
  addConfiguration,
  editConfiguration,
  governConfiguration,
} from '@toolgate/server/joined-verbs'
import { startTestRun } from '@toolgate/server/runs/start/start-test-run'
import { policyEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { action } from '@/lib/next/action'

const refresh = '/configurations'

export const saveNew = action(addConfiguration, { refresh })
export const saveChanges = action(editConfiguration, { refresh })
/** Reads the stored configuration again, after a save found that it changed. */
export const readNow = action(readEditableConfiguration)
export const previewPolicy = action(policyEffect)

export const changePolicy = action(governConfiguration, { refresh })
export const changeAudience = action(allowGroup, { refresh })

export const cloneHere = action(cloneConfiguration, { refresh })
export const deleteHere = action(deleteConfiguration, { refresh })
export const restoreHere = action(restoreConfigurationVersion, { refresh })
export const testHere = action(startTestRun)
