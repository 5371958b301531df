'use client'
import { useRouter } from 'next/navigation'
import { useToast } from '@/components/ui/toast'
import { addTask } from '../actions'
import type { TaskChoices } from '../task-choices'
import { emptyDraft } from '../task-draft'
import { TaskEditor } from '../task-editor'

export function NewTask({ choices }: { choices: TaskChoices }) {
  const router = useRouter()
  const toast = useToast()
  return (
    <TaskEditor
      stored={emptyDraft}
      choices={choices}
      button="Create task"
      isNew
      send={(form) => addTask({ form })}
      onSaved={({ id }) => {
        toast({ tone: 'ok', title: 'The task is there' })
        router.push(`/tasks/${id}`)
      }}
    />
  )
}
