'use client'
import Link from 'next/link'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { type ActionForm, useFilledFrom } from '@/components/forms/use-action-form'
import { saveTask } from '../actions'
import type { TaskChoices } from '../read-task-choices'
import type { TaskDraft } from '../task-draft'
import { TaskEditor, type TaskValues, useTaskForm, valuesOf } from '../task-editor'

type Stored = { version: number; draft: TaskDraft }
type Props = { taskId: string; version: number; stored: TaskDraft; choices: TaskChoices }

/** Shows the form that changes a task. It saves against the version that it was filled from. */
export function EditTask({ taskId, version, stored: draft, choices }: Props) {
  const stored: Stored = { version, draft }
  const form: ActionForm<TaskValues> = useTaskForm({
    initial: draft,
    isShared: true,
    send: (input, note) => saveTask({ id: taskId, version: base.version, reason: note, ...input }),
    done: (saved) => `Saved as version ${saved.version}`,
    onDone: (saved, sent) => setBase({ version: saved.version, draft: sent }),
  })
  const { base, setBase, conflict } = useFilledFrom<Stored, TaskValues>(form, {
    stored,
    versionOf: (row) => row.version,
    valuesOf: (row) => valuesOf(row.draft),
  })
  return (
    <div className="flex flex-col gap-6">
      {conflict && (
        <ChangedMeanwhile
          title={`Somebody saved version ${version} while you were editing.`}
          take={`Load version ${version}`}
          {...conflict}
        >
          <Link
            href={`/tasks/${taskId}?changes=${version}`}
            scroll={false}
            className="text-link underline underline-offset-2"
          >
            See its changes
          </Link>
        </ChangedMeanwhile>
      )}
      <TaskEditor form={form} choices={choices} button="Save" hasNote />
    </div>
  )
}
