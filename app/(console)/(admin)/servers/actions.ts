'use server'
import { addConfigured } from '@/lib/domains/servers/import'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { action } from '@/lib/next/action'
import { acceptTools } from '@/lib/toolset/servers/accept-tools'

export const addServer = action(serverVerbs.create)
export const changeServer = action(serverVerbs.update)
export const removeServer = action(serverVerbs.remove)
export const addConfiguredServers = action(addConfigured)
export const acceptServerTools = action(acceptTools)
