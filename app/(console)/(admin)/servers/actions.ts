'use server'
import { addConfigured } from '@toolgate/server/domains/servers/import'
import { serverVerbs } from '@toolgate/server/domains/servers/verbs'
import { acceptTools } from '@toolgate/server/toolset/servers/accept-tools'
import { action } from '@/lib/next/action'

export const addServer = action(serverVerbs.create)
export const changeServer = action(serverVerbs.update)
export const removeServer = action(serverVerbs.remove)
export const addConfiguredServers = action(addConfigured)
export const acceptServerTools = action(acceptTools)
