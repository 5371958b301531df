'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import {
  type FormSpec,
  NewResourceButton,
  NewResourceForm,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Workspace, workspaces } from '@/lib/domains/workspaces/shape'
import { pathOf } from '@/lib/protocol/nouns'
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
  return <NewResourceButton resource={workspaces} spec={spec} choices={choices} />
}

/** First values of the form for a new workspace. `folder` null: the server can make none. */
type Suggested = { name: string; folder: { folder: string; isMissing: boolean } | null }

/** Shows the form of a new workspace that a link asks for, filled in. */
export function SuggestedWorkspace({ suggested, choices }: Choices & { suggested: Suggested }) {
  const [open, setOpen] = useState(true)
  const router = useRouter()
  if (!open) return null
  const { name, folder } = suggested
  const place = folder && { folder: folder.folder, createFolder: folder.isMissing }
  return (
    <NewResourceForm
      resource={workspaces}
      spec={{ ...spec, start: () => ({ name, writable: true, ...place }) }}
      choices={choices}
      onClose={() => {
        setOpen(false)
        router.replace(pathOf(workspaces))
      }}
    />
  )
}

/** Edits a workspace and deletes it. */
export function WorkspaceActions({ workspace, choices }: Choices & { workspace: Workspace }) {
  return <ResourceActions resource={workspaces} stored={workspace} spec={spec} choices={choices} />
}
