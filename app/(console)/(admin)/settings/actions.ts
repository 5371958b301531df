'use server'
import { deleteBackup, startBackup } from '@/lib/domains/backups/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { action } from '@/lib/next/action'

export const saveSettings = action(updateSettings)

export const beginBackup = action(startBackup)
export const removeBackup = action(deleteBackup)
