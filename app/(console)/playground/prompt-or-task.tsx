'use client'
import type { RunObstacle } from '@toolgate/server/runs/start/run-obstacle'
import type { RefObject } from 'react'
import { Textarea } from '@/components/ui/textarea'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { formatCount } from '@/lib/words/format'
import { RunBar } from './run-bar'
import type { RunDraft, RunDraftErrors } from './run-draft'
import { TaskBox } from './task-box'

type Props = {
  draft: RunDraft
  errors: RunDraftErrors
  busy: boolean
  running: boolean
  /** The number of a panel's members; null = it is one run. */
  members: number | null
  obstacle: RunObstacle | null
  field: RefObject<HTMLTextAreaElement | null>
  onChange: (part: Partial<RunDraft>) => void
  onLeaveTask: () => void
  onRun: () => void
  /** Null = there is no dry run of it. */
  onDryRun: (() => void) | null
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

const tellFrom = 150_000

type PromptBoxProps = {
  prompt: string
  onChange: (prompt: string) => void
  onRun: () => void
  onDryRun: (() => void) | null
  busy: boolean
  /** A run is under way in this tab; it has to end first. */
  running: boolean
  members: number | null
  obstacle: RunObstacle | null
  error?: string
  field: RefObject<HTMLTextAreaElement | null>
}

/** Shows the prompt, which grows with its text. Enter is a new line; Ctrl or Cmd with Enter runs it. */
function PromptBox({
  prompt,
  onChange,
  onRun,
  onDryRun,
  busy,
  running,
  members,
  obstacle,
  error,
  field,
}: PromptBoxProps) {
  return (
    <form
      aria-label="Prompt"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      <label htmlFor="prompt" className="font-medium text-strong">
        Prompt
      </label>
      <Textarea
        id="prompt"
        ref={field}
        value={prompt}
        rows={4}
        className="max-h-[40vh]"
        placeholder="What do you want to know?"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'prompt-error' : 'prompt-hint'}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          onRun()
        }}
      />
      {error && (
        <p id="prompt-error" className="text-error text-sm">
          {error}
        </p>
      )}
      <RunBar
        hintId="prompt-hint"
        busy={busy}
        running={running}
        members={members}
        obstacle={obstacle}
        onDryRun={onDryRun}
      >
        {prompt.length >= tellFrom && (
          <p className="numeric text-sm text-warning">
            {formatCount(prompt.length)} of {formatCount(maxPromptCharacters)} characters
          </p>
        )}
      </RunBar>
    </form>
  )
}
