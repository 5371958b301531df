'use client'
import { Plus } from 'lucide-react'
import { useFieldState } from '@/components/forms/form-field'
import { useFocusAfter } from '@/components/forms/use-focus-after'
import { Button } from '@/components/ui/button'
import { maxTaskVariables } from '@/lib/domains/tasks/shared/task-form'
import { type VariableGaps, variableGaps } from '@/lib/domains/tasks/shared/task-values'
import { newVariable, type VariableDraft } from './task-draft'
import { VariableEditor } from './variable-editor'

const listId = 'task-variables'

type Props = {
  prompt: string
  variables: VariableDraft[]
}

/** Shows the variables of a task in the order of its form, and where they differ from the prompt. */
export function VariablesEditor({ prompt, variables }: Props) {
  const { error, onChange } = useFieldState<VariableDraft[]>('variables')
  const focusAfter = useFocusAfter()
  const gaps = variableGaps(prompt, variables)
  const add = (names: string[]) => {
    const rows = [...variables]
    for (const name of names) rows.push(newVariable(rows, name))
    onChange(rows)
    focusAfter(`task-variables.${variables.length}.name`)
  }
  const remove = (gone: (variable: VariableDraft) => boolean) => {
    onChange(variables.filter((variable) => !gone(variable)))
    focusAfter(listId)
  }
  const move = (from: number, to: number) => {
    const [one, other] = [variables[from], variables[to]]
    if (!one || !other) return
    onChange(variables.with(from, other).with(to, one))
    focusAfter(`task-variables.${to}-${to < from ? 'up' : 'down'}`)
  }
  return (
    <div className="flex flex-col gap-3">
      <Gaps
        gaps={gaps}
        onAdd={add}
        onRemove={(names) => remove(({ name }) => names.includes(name))}
      />
      <ol
        id={listId}
        tabIndex={-1}
        aria-label="Variables"
        className="flex flex-col gap-3 focus:outline-none"
      >
        {variables.map((variable, index) => (
          <VariableEditor
            key={variable.key}
            place={index}
            last={variables.length - 1}
            variable={variable}
            onMove={(by) => move(index, index + by)}
            onRemove={() => remove(({ key }) => key === variable.key)}
          />
        ))}
      </ol>
      {error && <p className="text-error text-sm">{error}</p>}
      <Button
        className="self-start"
        disabled={variables.length >= maxTaskVariables}
        onClick={() => add([''])}
      >
        <Plus className="size-4" aria-hidden />
        Add variable
      </Button>
    </div>
  )
}

/** Offers to add variables that the prompt uses and to remove rows that it does not use. */
function Gaps({
  gaps: { missing, unused },
  onAdd,
  onRemove,
}: {
  gaps: VariableGaps
  onAdd: (names: string[]) => void
  onRemove: (names: string[]) => void
}) {
  return (
    <div role="status" className="flex flex-col gap-2 empty:hidden">
      {missing.length > 0 && (
        <Gap
          words={`The prompt uses ${listed(missing)}, not defined yet.`}
          button={missing.length === 1 ? `Add ${missing[0]}` : `Add ${missing.length} variables`}
          onClick={() => onAdd(missing)}
        />
      )}
      {unused.length > 0 && (
        <Gap
          words={`The prompt does not use ${listed(unused)}.`}
          button={unused.length === 1 ? `Remove ${unused[0]}` : `Remove ${unused.length} variables`}
          onClick={() => onRemove(unused)}
        />
      )}
    </div>
  )
}

function Gap({ words, button, onClick }: { words: string; button: string; onClick: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-md border border-warning/40 bg-warning-soft px-3 py-2 text-sm">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{words}</span>
      <Button size="sm" onClick={onClick}>
        {button}
      </Button>
    </p>
  )
}

function listed(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ')
}
