'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'
import { addTask } from '../actions'
import type { TaskChoices } from '../task-choices'
import { emptyDraft } from '../task-draft'
import { TaskEditor } from '../task-editor'

export function NewTask({ choices }: { choices: TaskChoices }) {
  const router = useRouter()
  const toast = useToast()
  const [draft, setDraft] = useState(emptyDraft)
  return (
    <TaskEditor
      draft={draft}
      onChange={setDraft}
      changed={draft !== emptyDraft}
      choices={choices}
      button="Add task"
      send={(form) => addTask({ form })}
      onSaved={({ id }) => {
        toast({ tone: 'ok', title: 'Added the task' })
        router.push(`/tasks/${id}`)
      }}
    />
  )
}
