'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { useToast } from '@/components/ui/toast'
import { saveTask } from '../actions'
import type { TaskChoices } from '../task-choices'
import type { TaskDraft } from '../task-draft'
import { TaskEditor } from '../task-editor'
import { useEditedTask } from './use-edited-task'

type Props = { taskId: string; version: number; stored: TaskDraft; choices: TaskChoices }

/** Saved against the version it was filled from. */
export function EditTask({ taskId, choices, ...stored }: Props) {
  const router = useRouter()
  const toast = useToast()
  const part = useRef<HTMLDivElement>(null)
  const task = useEditedTask(stored)
  const decide = (how: () => void) => {
    flushSync(how)
    part.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={part} className="flex flex-col gap-6">
      {task.newer !== null && (
        <ChangedMeanwhile
          title={`Somebody saved version ${task.newer} while you were editing.`}
          take={`Load version ${task.newer}`}
          onKeep={() => decide(task.keepMine)}
          onTake={() => decide(task.takeNewer)}
        >
          <Link
            href={`/tasks/${taskId}?changes=${task.newer}`}
            scroll={false}
            className="text-link underline underline-offset-2"
          >
            See its changes
          </Link>
        </ChangedMeanwhile>
      )}
      <TaskEditor
        key={task.fills}
        draft={task.draft}
        onChange={task.setDraft}
        changed={task.changed}
        note={{ text: task.note, onChange: task.setNote }}
        choices={choices}
        button="Save"
        send={async (form) => {
          const result = await saveTask({ taskId, version: task.version, note: task.note, form })
          // Somebody else may have saved first; then the page says so and offers a choice.
          if (!result.ok && result.error.code === 'conflict') router.refresh()
          return result
        }}
        onSaved={(saved) => {
          task.settle(saved.version, task.draft)
          toast({ tone: 'ok', title: `Saved as version ${saved.version}` })
          router.refresh()
        }}
      />
    </div>
  )
}
