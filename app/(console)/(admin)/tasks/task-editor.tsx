'use client'
import type { ReactNode } from 'react'
import { mergeFieldErrors } from '@/components/forms/merge-field-errors'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { TaskInput } from '@/lib/domains/tasks/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { identifierOf } from '@/lib/protocol/identifier'
import { RunWith } from './run-with'
import { SkillOrder } from './skill-order'
import type { TaskChoices } from './task-choices'
import { type TaskDraft, toTaskInput } from './task-draft'
import { TaskPreview } from './task-preview'
import { VariablesEditor } from './variables-editor'

type Saved = { id: string; version: number }

type Props = {
  draft: TaskDraft
  onChange: (draft: TaskDraft) => void
  /** Called with whether the form holds unsaved changes. */
  changed: boolean
  /** The reason of a change; left out = a new task, whose identifier follows the name until somebody types one. */
  note?: { text: string; onChange: (text: string) => void }
  choices: TaskChoices
  /** What the button says. */
  button: string
  send: (input: TaskInput) => Promise<ActionResult<Saved>>
  onSaved: (saved: Saved) => void
}

/** The form of a task, beside a preview of the form that people will fill in. */
export function TaskEditor({ draft, onChange, note, choices, button, ...rest }: Props) {
  const { form, busy, error, fields } = useSubmit({
    changed: rest.changed,
    leaves: !note,
    send: async () => {
      const { input, wrong } = toTaskInput(draft)
      return mergeFieldErrors(await rest.send(input), wrong)
    },
    onDone: rest.onSaved,
  })
  const change = (part: Partial<TaskDraft>) => onChange({ ...draft, ...part })
  return (
    <div className="grid gap-8 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
      <form {...form} aria-label="Task" className="flex max-w-160 flex-col gap-6">
        {error && !error.fields && (
          <ErrorNotice title="The task was not saved">{error.message}</ErrorNotice>
        )}
        <Names draft={draft} errors={fields} isNew={!note} onChange={change} />
        <Part title="Prompt">
          <Field
            id="task-prompt"
            label="Prompt"
            hint={
              <>
                Write <code className="font-mono">{'{{name}}'}</code> to insert a variable, or{' '}
                <code className="font-mono">{'{{{{'}</code> for two literal braces.
              </>
            }
            error={fields.prompt}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={8}
                className="max-h-[60vh] font-mono"
                value={draft.prompt}
                onChange={(event) => change({ prompt: event.target.value })}
              />
            )}
          </Field>
        </Part>
        <Part title="Variables">
          <VariablesEditor
            prompt={draft.prompt}
            variables={draft.variables}
            errors={fields}
            onChange={(variables) => change({ variables })}
          />
        </Part>
        <Part title="Run settings">
          <RunWith
            draft={draft}
            configurations={choices.configurations}
            errors={fields}
            onChange={change}
          />
        </Part>
        <Part title="Skills">
          <SkillOrder
            skills={draft.skills}
            known={choices.skills}
            onChange={(skills) => change({ skills })}
          />
          {fields.skills && <p className="text-error text-sm">{fields.skills}</p>}
        </Part>
        <div className="flex flex-wrap items-end gap-3 border-t pt-4">
          {note && (
            <Field
              id="task-note"
              label="Note: what changes, and why"
              optional
              error={fields.note}
              className="min-w-60 flex-1"
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  value={note.text}
                  onChange={(event) => note.onChange(event.target.value)}
                />
              )}
            </Field>
          )}
          <Button type="submit" variant="primary" loading={busy}>
            {button}
          </Button>
        </div>
      </form>
      <div className="xl:sticky xl:top-16 xl:max-h-[calc(100dvh-5rem)] xl:self-start xl:overflow-y-auto">
        <TaskPreview draft={draft} />
      </div>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  )
}

function Names({
  draft,
  errors,
  isNew,
  onChange,
}: {
  draft: TaskDraft
  errors: Partial<Record<string, string>>
  isNew: boolean
  onChange: (part: Partial<TaskDraft>) => void
}) {
  const follows = isNew && draft.identifier === identifierOf(draft.name)
  return (
    <section aria-label="Names" className="flex flex-col gap-3">
      <Field id="task-name" label="Name" error={errors.name}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            autoComplete="off"
            onChange={({ target: { value: name } }) =>
              onChange({ name, ...(follows && { identifier: identifierOf(name) }) })
            }
          />
        )}
      </Field>
      <Field
        id="task-identifier"
        label="Identifier"
        hint="Used on the command line and in the API."
        error={errors.identifier}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.identifier}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ identifier: event.target.value })}
          />
        )}
      </Field>
      <Field id="task-description" label="Description" optional error={errors.description}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={draft.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
    </section>
  )
}
