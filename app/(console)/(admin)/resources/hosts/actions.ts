'use server'
import { askForHost, declineHostRequest } from '@toolgate/server/domains/hosts/requests'
import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import { action } from '@/lib/next/action'

export const addHost = action(hostVerbs.create)
export const changeHost = action(hostVerbs.update)
export const removeHost = action(hostVerbs.remove)
export const askForHostHere = action(askForHost)
export const declineRequest = action(declineHostRequest)
