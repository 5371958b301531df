'use server'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { action } from '@/lib/kernel/action'

export const saveSettings = action(updateSettings)
