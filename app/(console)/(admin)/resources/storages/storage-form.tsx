'use client'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Storage, storages } from '@/lib/domains/storages/shape'
import { addStorage, changeStorage, removeStorage } from './actions'

const spec: FormSpec<typeof storages> = {
  add: addStorage,
  change: changeStorage,
  remove: removeStorage,
  description: 'Its assets are files that tools find, and whose alternative texts they write.',
  removal: 'All of its assets are deleted for good. No tool can use it any more.',
  opensPage: true,
}

type Choices = { choices: ReferenceChoices }

export function NewStorageButton({ choices }: Choices) {
  return <NewResourceButton resource={storages} spec={spec} choices={choices} />
}

/** Edits a storage and deletes it. */
export function StorageActions({ storage, choices }: Choices & { storage: Storage }) {
  return <ResourceActions resource={storages} stored={storage} spec={spec} choices={choices} />
}
