'use server'
import {
  changeKey,
  removeConnectionKey,
  removeKey as removeStoredKey,
} from '@toolgate/server/domains/connections/key-verbs'
import { checkTrustZone } from '@toolgate/server/domains/connections/trust-zone'
import { updateConnection } from '@toolgate/server/domains/connections/update-connection'
import {
  createConnection,
  deleteConnection,
  setConnectionHeaders,
} from '@toolgate/server/domains/connections/verbs'
import {
  addTestedKey,
  renewTestedKey,
  replaceConnectionKey,
} from '@toolgate/server/probes/store-further-key'
import { testConnection } from '@toolgate/server/probes/test-connection'
import { testConnectionDraft } from '@toolgate/server/probes/test-connection-draft'
import { trustZoneEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { action } from '@/lib/next/action'

export const addConnection = action(createConnection, { refresh: '/connections' })
export const changeConnection = action(updateConnection)
export const switchConnection = action(updateConnection)
export const removeConnection = action(deleteConnection, { refresh: '/connections' })
export const changeHeaders = action(setConnectionHeaders)

export const testStored = action(testConnection)
export const testDraft = action(testConnectionDraft)

export const replaceKey = action(replaceConnectionKey)
export const removeKey = action(removeConnectionKey)
export const addFurtherKey = action(addTestedKey)
export const renewFurtherKey = action(renewTestedKey)
export const changeFurtherKey = action(changeKey)
export const removeFurtherKey = action(removeStoredKey)

export const checkZone = action(checkTrustZone)
export const previewTrustZone = action(trustZoneEffect)
