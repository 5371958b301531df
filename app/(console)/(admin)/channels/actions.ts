'use server'
import { channelVerbs, testChannel } from '@toolgate/server/domains/channels/verbs'
import { action } from '@/lib/next/action'

export const addChannel = action(channelVerbs.create)
export const changeChannel = action(channelVerbs.update)
export const removeChannel = action(channelVerbs.remove)
export const sendTestMessage = action(testChannel)
