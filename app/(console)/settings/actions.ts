'use server'
import { action } from '@/lib/action'
import { UpdateSettings } from '@/lib/settings/site-settings'
import { updateSettings } from '@/lib/settings/update-settings'

export const saveSettings = action(UpdateSettings, 'admin', updateSettings)
