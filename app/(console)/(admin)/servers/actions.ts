'use server'
import { addConfigured } from '@toolgate/server/domains/servers/import'
import { acceptTools } from '@toolgate/server/toolset/servers/accept-tools'
import { connectAccount } from '@toolgate/server/toolset/servers/accounts/connect'
import { disconnectAccounts } from '@toolgate/server/toolset/servers/accounts/verbs'
import { action } from '@/lib/next/action'

export const addConfiguredServers = action(addConfigured)
export const acceptServerTools = action(acceptTools)
export const connectServer = action(connectAccount)
export const disconnectServer = action(disconnectAccounts)
