'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { servers } from '@/lib/domains/servers/shape'

export const serverForm = resourceForm(servers, {
  opensPage: true,
  description: 'Its tools are off until accepted. Add only programs you trust.',
  removal: 'Its tools, settings and secrets are deleted. Rules for them match nothing.',
})
export const NewServerButton = serverForm.NewButton
export const ServerActions = serverForm.Actions
