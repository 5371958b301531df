'use client'
import type { ReactNode } from 'react'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { FormField, FormFields, useFieldState } from '@/components/forms/form-field'
import { notSaved } from '@/components/forms/use-act'
import {
  type ActionForm,
  type ActionFormOptions,
  useActionForm,
} from '@/components/forms/use-action-form'
import { lazyPart } from '@/components/ui/lazy-part'
import { type TaskInput, tasks } from '@/lib/domains/tasks/shape'
import type { ActionResult } from '@/lib/next/action'
import { noteField } from '@/lib/shape/field-shape'
import { identifierOf } from '@/lib/shape/identifier-of'
import { addTask } from './actions'
import { PanelEditor } from './panel-editor'
import type { TaskChoices } from './read-task-choices'
import { RunWith } from './run-with'
import { emptyDraft, type TaskDraft, taskFieldOf, toTaskInput } from './task-draft'
import { VariablesEditor } from './variables-editor'

/** It stands beside the form, which can be used before it is there. */
const TaskPreview = lazyPart(async () => (await import('./task-preview')).TaskPreview)

/** It stands at the end of the form. */
const SkillOrder = lazyPart(async () => (await import('./skill-order')).SkillOrder)

/** The draft, the note about its change, and whether its runs may be left without tools. */
export type TaskValues = TaskDraft & { note: string; confirmed: boolean }

type Options<Saved> = Omit<ActionFormOptions<TaskValues, Saved>, 'values' | 'send' | 'saved'> & {
  initial: TaskDraft
  /** True = the identifier follows the name until somebody types one. */
  isNew?: boolean
  send: (input: TaskInput & { confirmed: boolean }, note: string) => Promise<ActionResult<Saved>>
}

export function valuesOf(draft: TaskDraft): TaskValues {
  return { ...draft, note: '', confirmed: false }
}

/** Returns the form of a task. */
export function useTaskForm<Saved>({ initial, isNew = false, send, ...options }: Options<Saved>) {
  return useActionForm<TaskValues, Saved>({
    ...options,
    id: 'task',
    values: valuesOf(initial),
    send: ({ note, confirmed, ...draft }) => send({ ...toTaskInput(draft), confirmed }, note),
    saved: valuesOf,
    fieldOf: taskFieldOf,
    adjust: (now, before) =>
      isNew && now.name !== before.name && before.identifier === identifierOf(before.name)
        ? { identifier: identifierOf(now.name) }
        : {},
  })
}

const { name, identifier, description, prompt, variables, skills } = tasks.fields
const names = { name, identifier, description }

/** Shows the form of a task, beside a preview of the form that people will fill in. */
export function TaskEditor({
  form,
  choices,
  button,
  hasNote = false,
}: {
  form: ActionForm<TaskValues>
  choices: TaskChoices
  /** The text of the button that saves. */
  button: string
  /** True = the form has a field for a note about the change. */
  hasNote?: boolean
}) {
  const draft = form.watch()
  return (
    <div className="grid gap-8 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
      <Form form={form} label="Task" className="max-w-160 gap-6">
        <FormFailure title={notSaved} />
        <section aria-label="Names" className="flex flex-col gap-3">
          <FormFields fields={names} />
        </section>
        <FormField
          name="prompt"
          shape={prompt}
          controlClass="max-h-[60vh]"
          hint={
            <>
              Write <code className="font-mono">{'{{name}}'}</code> for a variable,{' '}
              <code className="font-mono">{'{{{{'}</code> for two braces.
            </>
          }
        />
        <Part title={variables.label}>
          <VariablesEditor prompt={draft.prompt} variables={draft.variables} />
        </Part>
        <Part title="Run settings">
          <RunWith draft={draft} configurations={choices.configurations} />
          <PanelEditor panel={draft.panel} choices={choices} />
        </Part>
        <Part title={skills.label}>
          <Skills known={choices.skills} />
        </Part>
        <div className="flex flex-wrap items-end gap-3 border-t pt-4">
          {hasNote && <FormField name="note" shape={noteField} className="min-w-60 flex-1" />}
          <SubmitButton>{button}</SubmitButton>
        </div>
      </Form>
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

function Skills({ known }: { known: TaskChoices['skills'] }) {
  const { value, error, onChange } = useFieldState<TaskDraft['skills']>('skills')
  return (
    <>
      <SkillOrder skills={value} known={known} onChange={onChange} />
      {error && <p className="text-error text-sm">{error}</p>}
      <NoTools />
    </>
  )
}

const confirmShape = { kind: 'checkbox', label: 'Save it without tools' } as const

/** Asks before the skills leave runs of the task without tools. Shows nothing before that. */
function NoTools() {
  const { value, error } = useFieldState<boolean>('confirmed')
  if (!value && !error) return null
  return <FormField name="confirmed" shape={confirmShape} />
}

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
