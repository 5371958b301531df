import type { RefObject } from 'react'
import type { RunObstacle } from '@/lib/runs/run-obstacle'
import { PromptBox } from './prompt-box'
import type { RunWish, WishErrors } from './run-wish'
import { TaskBox } from './task-box'

type Props = {
  wish: RunWish
  errors: WishErrors
  busy: boolean
  running: boolean
  obstacle: RunObstacle | null
  field: RefObject<HTMLTextAreaElement | null>
  onChange: (part: Partial<RunWish>) => void
  onLeaveTask: () => void
  onRun: () => void
}

/** What is asked: a prompt of one's own, or a task with its variables. */
export function Ask({ wish, errors, field, onChange, onLeaveTask, ...rest }: Props) {
  if (wish.task) {
    return (
      <TaskBox
        {...rest}
        task={wish.task}
        values={wish.values}
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
      prompt={wish.prompt}
      error={errors.prompt}
      onChange={(prompt) => onChange({ prompt })}
    />
  )
}
