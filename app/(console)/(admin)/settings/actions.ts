'use server'
import {
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from '@/lib/domains/channels/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { action } from '@/lib/kernel/action'

export const saveSettings = action(updateSettings)
export const addChannel = action(createChannel)
export const changeChannel = action(updateChannel)
export const removeChannel = action(deleteChannel)
export const sendTestMessage = action(testChannel)
