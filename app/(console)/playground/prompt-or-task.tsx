import type { RefObject } from 'react'
import type { RunObstacle } from '@/lib/runs/run-obstacle'
import { PromptBox } from './prompt-box'
import type { RunDraft, RunDraftErrors } from './run-draft'
import { TaskBox } from './task-box'

type Props = {
  draft: RunDraft
  errors: RunDraftErrors
  busy: boolean
  running: boolean
  obstacle: RunObstacle | null
  field: RefObject<HTMLTextAreaElement | null>
  onChange: (part: Partial<RunDraft>) => void
  onLeaveTask: () => void
  onRun: () => void
}

/** Shows the form's main part: the prompt, or the picked task with its variables. */
export function PromptOrTask({ draft, errors, field, onChange, onLeaveTask, ...rest }: Props) {
  if (draft.task) {
    return (
      <TaskBox
        {...rest}
        task={draft.task}
        values={draft.values}
        errors={errors}
        onChange={(values) => onChange({ values })}
        onLeave={onLeaveTask}
      />
    )
  }
  return (
    <PromptBox
      {...rest}
      field={field}
      prompt={draft.prompt}
      error={errors.prompt}
      onChange={(prompt) => onChange({ prompt })}
    />
  )
}
