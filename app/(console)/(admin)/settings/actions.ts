'use server'
import { deleteBackup, startBackup } from '@toolgate/server/domains/backups/verbs'
import { updateSettings } from '@toolgate/server/domains/settings/verbs'
import { action } from '@/lib/next/action'

export const saveSettings = action(updateSettings)

export const beginBackup = action(startBackup)
export const removeBackup = action(deleteBackup)
