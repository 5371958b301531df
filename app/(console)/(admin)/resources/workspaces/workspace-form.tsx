'use client'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Workspace, workspaces } from '@/lib/domains/workspaces/shape'
import { addWorkspace, changeWorkspace, removeWorkspace } from './actions'

const spec: FormSpec<typeof workspaces> = {
  add: addWorkspace,
  change: changeWorkspace,
  remove: removeWorkspace,
  description: 'Tools may list, read and search its files, and write them where you allow it.',
  removal:
    'No tool can use it any more. Its files stay on the server; what is kept of files that tools wrote is deleted, so those writes cannot be undone.',
}

type Choices = { choices: ReferenceChoices }

export function NewWorkspaceButton({ choices }: Choices) {
  return <NewResourceButton resource={workspaces} {...{ spec, choices }} />
}

/** Edits a workspace and deletes it. */
export function WorkspaceActions({ workspace, choices }: Choices & { workspace: Workspace }) {
  return <ResourceActions resource={workspaces} stored={workspace} {...{ spec, choices }} />
}
