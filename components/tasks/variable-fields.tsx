'use client'
import { type TaskVariable, variableLabel } from '@/lib/protocol/task-form'
import { Field } from '../ui/field'
import { VariableControl } from './variable-control'

type Props = {
  /** Begins the ids of the controls. */
  id: string
  variables: readonly TaskVariable[]
  values: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  onChange: (name: string, value: string) => void
}

/** Shows one labelled field for each variable of a task, in the task's order. */
export function VariableFields({ id, variables, values, errors, onChange }: Props) {
  return variables.map((variable) => (
    <Field
      key={variable.name}
      id={`${id}-${variable.name}`}
      label={variableLabel(variable)}
      optional={!variable.required && variable.type !== 'boolean'}
      hint={hintOf(variable, values[variable.name] ?? '')}
      error={errors[variable.name]}
    >
      {(control) => (
        <VariableControl
          control={control}
          variable={variable}
          value={values[variable.name] ?? ''}
          onChange={(value) => onChange(variable.name, value)}
        />
      )}
    </Field>
  ))
}

/** Returns the placeholder that says what an empty field means. */
function hintOf(variable: TaskVariable, value: string): string | undefined {
  if (variable.default === '' || value.trim() !== '' || variable.type === 'boolean')
    return undefined
  const [first = ''] = variable.default.split('\n')
  return `Default: ${first.slice(0, 80)}${first === variable.default ? '' : '…'}`
}
