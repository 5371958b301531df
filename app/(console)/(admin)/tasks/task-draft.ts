import type { TaskInput } from '@/lib/domains/tasks/schemas'
import { parseCount, parseUsd, typedFigure, usdText } from '@/lib/protocol/format'
import { readParameter, schemaText } from '@/lib/protocol/parameters'
import type { TaskForm, TaskVariable, TaskVariableType } from '@/lib/protocol/task-form'

/** The fields of one variable. `key` identifies its row; `options` has one option a line. */
export type VariableDraft = {
  key: number
  name: string
  label: string
  type: TaskVariableType
  required: boolean
  default: string
  options: string
  maxLength: string
}

/** The values of a task form. `costCap` is in dollars, `outputSchema` is JSON text; "" = none. */
export type TaskDraft = {
  identifier: string
  name: string
  description: string
  prompt: string
  variables: VariableDraft[]
  configurationId: string | null
  outputSchema: string
  skills: { id: string; enabled: boolean }[]
  costCap: string
  costCapMode: TaskForm['costCapMode']
}

export const emptyDraft: TaskDraft = {
  identifier: '',
  name: '',
  description: '',
  prompt: '',
  variables: [],
  configurationId: null,
  outputSchema: '',
  skills: [],
  costCap: '',
  costCapMode: 'warn',
}

export function draftOf(form: TaskForm): TaskDraft {
  const { configuration, costCapMicroUsd, variables, skills, ...facts } = form
  return {
    ...facts,
    variables: variables.map((variable, key) => ({
      ...variable,
      key,
      options: variable.options.join('\n'),
      maxLength: variable.maxLength === null ? '' : String(variable.maxLength),
    })),
    configurationId: configuration?.id ?? null,
    outputSchema: schemaText(form.outputSchema),
    skills: skills.map(({ id, enabled }) => ({ id, enabled })),
    costCap: costCapMicroUsd === null ? '' : usdText(costCapMicroUsd),
  }
}

/** Returns a row for a variable that the prompt uses and that is not described yet. */
export function newVariable(variables: readonly VariableDraft[], name: string): VariableDraft {
  const key = Math.max(-1, ...variables.map((variable) => variable.key)) + 1
  const facts = { label: '', type: 'text', required: true, default: '', options: '' } as const
  return { key, name, ...facts, maxLength: '' }
}

/** Returns the variables as they will be saved. Invalid input counts as left out. */
export function variablesOf({ variables }: Pick<TaskDraft, 'variables'>): TaskVariable[] {
  return variables.map(({ key: _, options, maxLength, ...variable }) => ({
    ...variable,
    name: variable.name.trim(),
    label: variable.label.trim(),
    options: variable.type === 'choice' ? linesOf(options) : [],
    maxLength: isText(variable.type) ? parseCount(maxLength) : null,
  }))
}

/**
 * Returns the draft as the input of the verbs. `wrong`: the fields without a valid number, each with a message. They
 * are sent as NaN.
 */
export function toTaskInput(draft: TaskDraft): {
  input: TaskInput
  wrong: Record<string, string>
} {
  const { costCap, variables, ...facts } = draft
  const wrong: Record<string, string> = {}
  const costCapMicroUsd = typedFigure(costCap, parseUsd)
  if (Number.isNaN(costCapMicroUsd)) {
    wrong.costCapMicroUsd = 'Enter US dollars such as 0.25, with up to six decimals.'
  }
  const typed = variablesOf(draft)
  for (const [index, { type, maxLength }] of variables.entries()) {
    const variable = typed[index]
    if (!variable || !isText(type) || maxLength.trim() === '' || variable.maxLength !== null)
      continue
    variable.maxLength = Number.NaN
    wrong[`variables.${index}.maxLength`] = 'Enter a whole number.'
  }
  // Text that is not JSON is sent as it is, and the server refuses it.
  const outputSchema = readParameter(
    'outputSchema',
    draft.outputSchema,
  ) as TaskInput['outputSchema']
  return { input: { ...facts, variables: typed, outputSchema, costCapMicroUsd }, wrong }
}

/** Returns the field at which an error of the server is shown: one of a single option at all of them. */
export function taskFieldOf(path: string): string {
  if (path === 'costCapMicroUsd') return 'costCap'
  return path.replace(/^(variables\.\d+\.options)\..*$/, '$1').replace(/^skills\..*$/, 'skills')
}

export function isText(type: TaskVariableType): boolean {
  return type === 'text' || type === 'long-text'
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
