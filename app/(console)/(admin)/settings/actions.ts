'use server'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { action } from '@/lib/next/action'

export const saveSettings = action(updateSettings)
