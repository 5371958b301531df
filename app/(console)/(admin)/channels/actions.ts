'use server'
import { testChannel } from '@toolgate/server/domains/channels/verbs'
import { action } from '@/lib/next/action'

export const sendTestMessage = action(testChannel)
