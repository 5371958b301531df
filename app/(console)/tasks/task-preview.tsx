'use client'
import { useState } from 'react'
import { PromptPreview, VariableFields } from '@/components/tasks/variable-fields'
import { initialValues, previewTask, renderTask } from '@/lib/domains/tasks/shared/task-values'
import { type TaskDraft, variablesOf } from './task-draft'

/** Shows the form that people will fill in, to try it, and the prompt that it makes. */
export function TaskPreview({ draft }: { draft: TaskDraft }) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const variables = variablesOf(draft).filter(
    ({ name }, index, all) => name !== '' && all.findIndex((each) => each.name === name) === index,
  )
  const names = variables.map(({ name }) => name)
  const kept = Object.entries(typed).filter(([name]) => names.includes(name))
  const values = { ...initialValues(variables), ...Object.fromEntries(kept) }
  const task = { prompt: draft.prompt, variables }
  return (
    <section aria-labelledby="task-preview" className="flex flex-col gap-3">
      <div>
        <h2 id="task-preview" className="text-lg">
          Preview
        </h2>
        <p className="text-muted">Enter values to see the prompt.</p>
      </div>
      {variables.length > 0 && (
        <div className="flex flex-col gap-3">
          <VariableFields
            id="preview"
            variables={variables}
            values={values}
            errors={{}}
            onChange={(name, value) => setTyped({ ...typed, [name]: value })}
          />
        </div>
      )}
      <div className="rounded-md border bg-surface-1 p-3">
        {draft.prompt.trim() === '' ? (
          <p className="text-muted">The prompt appears here.</p>
        ) : (
          <PromptPreview text={previewTask(task, values)} made={renderTask(task, values)} />
        )}
      </div>
    </section>
  )
}
