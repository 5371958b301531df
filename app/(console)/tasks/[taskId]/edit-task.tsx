'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'
import { saveTask } from '../actions'
import type { TaskChoices } from '../task-choices'
import type { TaskDraft } from '../task-draft'
import { TaskEditor } from '../task-editor'

type Props = { taskId: string; version: number; stored: TaskDraft; choices: TaskChoices }

/** Saved against the version that is shown; one that came from elsewhere, such as a restore, fills the form anew. */
export function EditTask({ taskId, version, stored, choices }: Props) {
  const router = useRouter()
  const toast = useToast()
  const [held, setHeld] = useState({ version, times: 0 })
  if (version > held.version) setHeld({ version, times: held.times + 1 })
  return (
    <TaskEditor
      key={held.times}
      stored={stored}
      choices={choices}
      button="Save"
      isNew={false}
      send={(form, note) => saveTask({ taskId, version: held.version, note, form })}
      onSaved={(saved) => {
        setHeld({ ...held, version: saved.version })
        toast({ tone: 'ok', title: `Saved as version ${saved.version}` })
        router.refresh()
      }}
    />
  )
}
