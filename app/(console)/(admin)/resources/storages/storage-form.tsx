'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { storages } from '@/lib/domains/storages/shape'

const form = resourceForm(storages, {
  description: 'Its assets are files that tools find, and whose alternative texts they write.',
  removal: 'All of its assets are deleted for good. No tool can use it any more.',
  opensPage: true,
})
export const NewStorageButton = form.NewButton
export const StorageActions = form.Actions
