'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { storages } from '@/lib/domains/storages/shape'

const form = resourceForm(storages, {
  removal: 'All of its assets are deleted for good.',
  opensPage: true,
})
export const NewStorageButton = form.NewButton
export const StorageActions = form.Actions
