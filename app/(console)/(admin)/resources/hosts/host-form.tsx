'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { hosts } from '@/lib/domains/hosts/shape'

export const hostForm = resourceForm(hosts, {
  removal: 'Tools read nothing there any more.',
})
export const NewHostButton = hostForm.NewButton
export const HostActions = hostForm.Actions
