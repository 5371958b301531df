import { z } from 'zod'
import { costCapModeWords } from '../../protocol/configuration-form'
import type { ResourceField } from '../../protocol/field-shape'
import { formatCostMicroUsd } from '../../protocol/format'
import { Identifier, Name } from '../../protocol/identifier'
import { OutputSchema } from '../../protocol/parameter-values'
import { schemaText } from '../../protocol/parameters'
import { maxTaskVariables, TaskForm, TaskVariable, variableLabel } from '../../protocol/task-form'

/** What an admin enters for a task. Other things are picked by their ids. */
export const taskShape = {
  identifier: {
    kind: 'text',
    label: 'Identifier',
    hint: 'Used on the command line and in the API.',
    mono: true,
    schema: Identifier,
  },
  name: {
    kind: 'text',
    label: 'Name',
    schema: Name,
  },
  description: {
    kind: 'textarea',
    label: 'Description',
    optional: true,
    rows: 2,
    schema: z.string().max(1_000, 'At most 1,000 characters.'),
    defaultValue: '',
  },
  prompt: {
    kind: 'textarea',
    label: 'Prompt',
    rows: 8,
    mono: true,
    schema: z
      .string()
      .max(100_000, 'At most 100,000 characters.')
      .refine((text) => text.trim() !== '', 'Write a prompt.'),
  },
  variables: {
    kind: 'own',
    label: 'Variables',
    schema: z.array(TaskVariable).max(maxTaskVariables, `At most ${maxTaskVariables} variables.`),
    defaultValue: [],
  },
  configurationId: {
    kind: 'own',
    label: 'Configuration',
    schema: z.uuid('Pick a configuration.').nullable(),
    defaultValue: null,
  },
  /** The schema of the answer; null = that of the configuration (SPEC Q5). */
  outputSchema: {
    kind: 'own',
    label: 'Answer schema',
    schema: OutputSchema.nullable(),
    defaultValue: null,
  },
  /** Micro-USD; null = no cap (SPEC M4). */
  costCapMicroUsd: {
    kind: 'money',
    label: 'Cost cap per run, US dollars',
    placeholder: '0.25',
    optional: true,
    schema: z
      .int('A whole number of micro-dollars.')
      .min(1, 'More than 0.')
      .max(1_000_000_000_000, 'At most $1,000,000.')
      .nullable(),
    defaultValue: null,
  },
  costCapMode: {
    kind: 'select',
    label: 'When the cost cap is reached',
    choices: [
      { value: 'warn', label: costCapModeWords.warn, hint: 'Warns once. The run continues.' },
      {
        value: 'enforce',
        label: costCapModeWords.enforce,
        hint: 'The run ends with one final answer without tools.',
      },
      { value: 'off', label: 'Off', hint: 'The value is kept but has no effect.' },
    ],
    schema: TaskForm.shape.costCapMode,
    defaultValue: 'warn',
  },
  /** In the order they are sent, behind the configuration's. */
  skills: {
    kind: 'own',
    label: 'Skills',
    schema: z
      .array(z.strictObject({ id: z.uuid(), enabled: z.boolean().default(true) }))
      .max(20, 'At most 20 skills.')
      .refine((skills) => new Set(skills.map(({ id }) => id)).size === skills.length, {
        message: 'Name each skill once.',
      }),
    defaultValue: [],
  },
} as const satisfies Record<string, ResourceField>

/** Why a task changes; its history keeps it. */
export const noteField = {
  kind: 'text',
  label: 'Note: what changes, and why',
  optional: true,
  schema: z.string().trim().max(200, 'A note has at most 200 characters.'),
  defaultValue: '',
} as const satisfies ResourceField

/** What is said when a task is switched off without a reason. */
export const taskReason = 'Give a reason: other people run this task.'

/** The configuration of a task without one. */
export const anyConfiguration = 'picked for each run'

type Field = keyof TaskForm

/** One field in which two forms differ, as text to compare line by line. */
type TaskDifference = { field: Field; label: string; before: string; after: string }

const labels: Record<Field, string> = {
  identifier: taskShape.identifier.label,
  name: taskShape.name.label,
  description: taskShape.description.label,
  prompt: taskShape.prompt.label,
  variables: taskShape.variables.label,
  configuration: taskShape.configurationId.label,
  outputSchema: taskShape.outputSchema.label,
  skills: taskShape.skills.label,
  costCapMicroUsd: 'Cost cap',
  costCapMode: taskShape.costCapMode.label,
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
      return form.configuration?.name ?? anyConfiguration
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
