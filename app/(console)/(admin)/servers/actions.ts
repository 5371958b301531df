'use server'
import { addConfigured } from '@toolgate/server/domains/servers/import'
import { acceptTools } from '@toolgate/server/toolset/servers/accept-tools'
import { action } from '@/lib/next/action'

export const addConfiguredServers = action(addConfigured)
export const acceptServerTools = action(acceptTools)
