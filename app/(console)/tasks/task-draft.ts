import { type TaskInput, type TaskVersion, tasks } from '@/lib/domains/tasks/shape'
import type { TaskVariable, TaskVariableType } from '@/lib/domains/tasks/shared/task-form'
import { defaultsOf, readTyped, type TypedOf, typedOf } from '@/lib/shape/field-codec'
import { parseCount } from '@/lib/words/format'
import { noPanel, type PanelDraft, panelDraftOf, panelFieldOf, toPanel } from './panel-draft'

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

const { variables: _variables, panel: _panel, enabled: _enabled, ...plain } = tasks.fields

/** The values of a task form: as they are typed, such as a cost cap in dollars. */
export type TaskDraft = TypedOf<typeof plain> & { variables: VariableDraft[]; panel: PanelDraft }

export const emptyDraft: TaskDraft = {
  ...typedOf(plain, { ...defaultsOf(plain), identifier: '', name: '', prompt: '' }),
  variables: [],
  panel: noPanel,
}

export function draftOf(task: TaskVersion): TaskDraft {
  const { configuration, variables, panel, skills } = task
  return {
    ...typedOf(plain, {
      ...task,
      configurationId: configuration?.id ?? null,
      skills: skills.map(({ id, enabled }) => ({ id, enabled })),
    }),
    panel: panelDraftOf(panel),
    variables: variables.map((variable, key) => ({
      ...variable,
      key,
      options: variable.options.join('\n'),
      maxLength: variable.maxLength === null ? '' : String(variable.maxLength),
    })),
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

/** Returns the draft as the input of the verbs. A figure that is none is sent as NaN, which the server refuses beside it. */
export function toTaskInput(draft: TaskDraft): TaskInput {
  const variables = variablesOf(draft).map((variable, index) => {
    const { [index]: typed } = draft.variables
    const isWrong = isText(variable.type) && typed?.maxLength.trim() && variable.maxLength === null
    return isWrong ? { ...variable, maxLength: Number.NaN } : variable
  })
  return { ...readTyped(plain, draft), variables, panel: toPanel(draft.panel) }
}

/** Returns the field at which an error of the server is shown: one of a single option at all of them. */
export function taskFieldOf(path: string): string {
  if (/^panel(\.|$)/.test(path)) return panelFieldOf(path)
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
