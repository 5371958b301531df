'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { servers } from '@/lib/domains/servers/shape'

export const serverForm = resourceForm(servers, {
  opensPage: true,
  description:
    'Its tools arrive switched off and are for admins. None is offered to a model before you accepted it. A program on this machine can do what Toolgate itself may do: add only programs that you trust.',
  removal:
    'Its tools are gone, with what was accepted, and its secrets are deleted. Rules that name its tools match nothing any more. Runs that called them stay. To pause it, switch it off instead.',
})
export const NewServerButton = serverForm.NewButton
export const ServerActions = serverForm.Actions
