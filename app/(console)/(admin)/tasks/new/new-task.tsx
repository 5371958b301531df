'use client'
import { addTask } from '../actions'
import type { TaskChoices } from '../task-choices'
import { emptyDraft } from '../task-draft'
import { TaskEditor, useTaskForm } from '../task-editor'

export function NewTask({ choices }: { choices: TaskChoices }) {
  const form = useTaskForm({
    initial: emptyDraft,
    isNew: true,
    send: (input) => addTask(input),
    done: 'Added the task',
    next: ({ id }) => `/tasks/${id}`,
  })
  return <TaskEditor form={form} choices={choices} button="Add task" />
}
