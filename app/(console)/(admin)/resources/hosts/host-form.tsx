'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { hosts } from '@/lib/domains/hosts/shape'

export const hostForm = resourceForm(hosts, {
  description: 'Tools may read all addresses of this origin, for everybody who may use them.',
  removal: 'Tools read nothing there any more. To pause it, switch it off instead.',
})
export const NewHostButton = hostForm.NewButton
export const HostActions = hostForm.Actions
