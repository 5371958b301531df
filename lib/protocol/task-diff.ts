import { costCapModeWords } from './configuration-form'
import { formatCostMicroUsd } from './format'
import { schemaText } from './parameters'
import { type TaskForm, type TaskVariable, variableLabel } from './task-form'

type Field = keyof TaskForm

/** One field in which two forms differ, as text to compare line by line. */
export type TaskDifference = { field: Field; label: string; before: string; after: string }

const labels: Record<Field, string> = {
  identifier: 'Identifier',
  name: 'Name',
  description: 'Description',
  prompt: 'Prompt',
  variables: 'Variables',
  configuration: 'Configuration',
  outputSchema: 'Answer schema',
  skills: 'Skills',
  costCapMicroUsd: 'Cost cap',
  costCapMode: 'When the cost cap is reached',
}
const fields = Object.keys(labels) as Field[]

/**
 * Returns the changes that turn `before` into `after`, in the order of the form. Objects with the same id are the same.
 */
export function diffTasks(before: TaskForm, after: TaskForm): TaskDifference[] {
  return fields
    .filter((field) => keyOf(before, field) !== keyOf(after, field))
    .map((field) => ({
      field,
      label: labels[field],
      before: wordsOf(before, field),
      after: wordsOf(after, field),
    }))
}

/** Returns what a field is compared by. Names of other objects may change without the task. */
function keyOf(form: TaskForm, field: Field): string {
  if (field === 'configuration') return form.configuration?.id ?? ''
  if (field === 'skills') return JSON.stringify(form.skills.map(({ id, enabled }) => [id, enabled]))
  return JSON.stringify(form[field])
}

function wordsOf(form: TaskForm, field: Field): string {
  switch (field) {
    case 'variables':
      return form.variables.map(variableWords).join('\n')
    case 'configuration':
      return form.configuration?.name ?? 'picked for each run'
    case 'skills':
      return form.skills.map(({ name, enabled }) => (enabled ? name : `${name} (off)`)).join('\n')
    case 'outputSchema':
      return schemaText(form.outputSchema) || 'from the configuration'
    case 'costCapMicroUsd':
      return form.costCapMicroUsd === null ? 'none' : formatCostMicroUsd(form.costCapMicroUsd)
    case 'costCapMode':
      return costCapModeWords[form.costCapMode]
    default:
      return form[field]
  }
}

function variableWords(variable: TaskVariable): string {
  const { name, type, required, options, maxLength } = variable
  return [
    `${name}: ${variableLabel(variable)}`,
    type,
    required ? 'required' : 'optional',
    variable.default && `default ${JSON.stringify(variable.default)}`,
    options.length > 0 && `options ${options.join(' | ')}`,
    maxLength !== null && `at most ${maxLength} characters`,
  ]
    .filter(Boolean)
    .join(', ')
}
