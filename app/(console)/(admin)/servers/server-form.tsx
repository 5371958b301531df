'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { servers } from '@/lib/domains/servers/shape'

export const serverForm = resourceForm(servers, {
  opensPage: true,
  description: 'Its tools are off until you accept them. Add only programs that you trust.',
  removal: 'Its tools, what was accepted of them, and its secrets are deleted.',
})
export const NewServerButton = serverForm.NewButton
export const ServerActions = serverForm.Actions
