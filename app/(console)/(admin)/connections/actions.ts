'use server'
import {
  changeKey,
  removeConnectionKey,
  removeKey as removeStoredKey,
} from '@/lib/domains/connections/key-verbs'
import { checkTrustZone } from '@/lib/domains/connections/trust-zone'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import {
  createConnection,
  deleteConnection,
  setConnectionHeaders,
} from '@/lib/domains/connections/verbs'
import { action } from '@/lib/next/action'
import { addTestedKey, renewTestedKey, replaceConnectionKey } from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'
import { testConnectionDraft } from '@/lib/probes/test-connection-draft'
import { trustZoneEffect } from '@/lib/toolset/policy/policy-effect'

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
