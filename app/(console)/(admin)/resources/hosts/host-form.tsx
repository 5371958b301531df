'use client'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Host, hosts } from '@/lib/domains/hosts/shape'
import { addHost, changeHost, removeHost } from './actions'

export const hostForm: FormSpec<typeof hosts> = {
  add: addHost,
  change: changeHost,
  remove: removeHost,
  description: 'Tools may read all addresses of this origin, for everybody who may use them.',
  removal: 'Tools read nothing there any more. To pause it, switch it off instead.',
}

export function NewHostButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={hosts} spec={hostForm} choices={choices} />
}

/** Edits and deletes a host. */
export function HostActions({ host, choices }: { host: Host; choices: ReferenceChoices }) {
  return <ResourceActions resource={hosts} stored={host} spec={hostForm} choices={choices} />
}
