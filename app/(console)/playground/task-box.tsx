'use client'
import type { RunnableTask } from '@toolgate/server/domains/tasks/schemas'
import type { RunObstacle } from '@toolgate/server/runs/start/run-obstacle'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { PanelNote } from '@/components/tasks/panel-note'
import { PromptPreview, VariableFields } from '@/components/tasks/variable-fields'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { previewTask, renderTask } from '@/lib/domains/tasks/shared/task-values'
import { RunBar } from './run-bar'
import type { RunDraftErrors } from './run-draft'

type Props = {
  task: RunnableTask
  values: Record<string, string>
  errors: RunDraftErrors
  busy: boolean
  running: boolean
  obstacle: RunObstacle | null
  onChange: (values: Record<string, string>) => void
  /** Called when the person writes a prompt instead of running the task. */
  onLeave: () => void
  onRun: () => void
  onDryRun: (() => void) | null
}

/** Shows the picked task in place of the prompt field: its variables as a form, and the prompt they produce. */
export function TaskBox({ task, values, errors, busy, running, obstacle, ...on }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const { shown, edit } = useOpenErrors(errors.variables)
  // External system: the document's focus.
  useEffect(() => {
    if (errors.variables) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors.variables])
  const runs = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  return (
    <form
      ref={form}
      aria-label={`Task ${task.name}`}
      className="flex flex-col gap-3"
      noValidate
      onKeyDown={runs}
      onSubmit={(event) => {
        event.preventDefault()
        on.onRun()
      }}
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg [overflow-wrap:anywhere]">
            <VisibleText text={task.name} />
          </h2>
          <p className="max-w-[72ch] text-muted [overflow-wrap:anywhere]">
            <VisibleText text={task.description} />
          </p>
        </div>
        <Button size="sm" variant="ghost" onClick={on.onLeave}>
          <X className="size-4" aria-hidden />
          Write a prompt
        </Button>
      </div>
      {task.panel && <PanelNote panel={task.panel} />}
      <div className="flex max-w-160 flex-col gap-3">
        <VariableFields
          id="variable"
          variables={task.variables}
          values={values}
          errors={shown}
          onChange={(name, value) => {
            edit(name)
            on.onChange({ ...values, [name]: value })
          }}
        />
      </div>
      {errors.prompt && <p className="text-error text-sm">{errors.prompt}</p>}
      {Object.entries(shown)
        .filter(([name]) => !(name in values))
        .map(([name, sentence]) => (
          <p key={name} className="text-error text-sm">
            {sentence}
          </p>
        ))}
      <Disclosure summary="Prompt preview">
        <PromptPreview text={previewTask(task, values)} made={renderTask(task, values)} />
      </Disclosure>
      <RunBar
        hintId="task-hint"
        busy={busy}
        running={running}
        obstacle={obstacle}
        onDryRun={on.onDryRun}
      />
    </form>
  )
}

/** Returns the errors of the last attempt, without those of fields that were changed since. */
function useOpenErrors(errors: RunDraftErrors['variables']) {
  const [edited, setEdited] = useState({ of: errors, names: [] as string[] })
  const names = edited.of === errors ? edited.names : []
  const open = Object.entries(errors ?? {}).filter(([name]) => !names.includes(name))
  return {
    shown: Object.fromEntries(open),
    edit: (name: string) => setEdited({ of: errors, names: [...names, name] }),
  }
}
