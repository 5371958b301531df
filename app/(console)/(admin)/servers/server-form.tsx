'use client'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Server, servers } from '@/lib/domains/servers/shape'
import { addServer, changeServer, removeServer } from './actions'

/** The actions and words of the form of a server. */
export const serverForm: FormSpec<typeof servers> = {
  add: addServer,
  change: changeServer,
  remove: removeServer,
  opensPage: true,
  description:
    'Its tools arrive switched off and are for admins. None is offered to a model before you accepted it. A program on this machine can do what Toolgate itself may do: add only programs that you trust.',
  removal:
    'Its tools are gone, with what was accepted, and its secrets are deleted. Rules that name its tools match nothing any more. Runs that called them stay. To pause it, switch it off instead.',
}

export function NewServerButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={servers} spec={serverForm} choices={choices} />
}

export function ServerActions({ server, choices }: { server: Server; choices: ReferenceChoices }) {
  return <ResourceActions resource={servers} stored={server} spec={serverForm} choices={choices} />
}
