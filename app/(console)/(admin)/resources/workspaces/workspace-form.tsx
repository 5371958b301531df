'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { NewResourceForm, type ReferenceChoices } from '@/components/resource/resource-form'
import { workspaces } from '@/lib/domains/workspaces/shape'
import { pathOf } from '@/lib/protocol/nouns'

const form = resourceForm(workspaces, {
  removal: 'Its files stay, but writes cannot be undone.',
})
export const NewWorkspaceButton = form.NewButton
export const WorkspaceActions = form.Actions

/** First values of the form for a new workspace. `folder` null: the server can make none. */
type Suggested = { name: string; folder: { folder: string; isMissing: boolean } | null }

type Props = { suggested: Suggested; choices: ReferenceChoices }

/** Shows the form of a new workspace that a link asks for, filled in. */
export function SuggestedWorkspace({ suggested, choices }: Props) {
  const [open, setOpen] = useState(true)
  const router = useRouter()
  if (!open) return null
  const { name, folder } = suggested
  const place = folder && { folder: folder.folder, createFolder: folder.isMissing }
  return (
    <NewResourceForm
      resource={workspaces}
      spec={{ ...form.spec, start: () => ({ name, writable: true, ...place }) }}
      choices={choices}
      onClose={() => {
        setOpen(false)
        router.replace(pathOf(workspaces))
      }}
    />
  )
}
