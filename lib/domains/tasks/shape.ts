import { z } from 'zod'
import { costCapModeWords, panelCapBound } from '@/lib/protocol/cost/cost-cap-words'
import { describedNouns } from '@/lib/protocol/nouns'
import { CostCapMode } from '@/lib/protocol/parameters/configuration-form'
import { OutputSchema, StoredSchema } from '@/lib/protocol/parameters/parameter-values'
import { Identifier, Name } from '@/lib/shape/identifier'
import {
  type DetailOf,
  type ListingOf,
  resource,
  switchField,
  type VersionOf,
} from '@/lib/shape/resource'
import { panelText } from './shared/panel-of-task'
import { maxTaskVariables, TaskVariable, variableLabel } from './shared/task-form'
import { TaskPanel } from './shared/task-panel'
import { checkTaskVariables } from './shared/task-values'

/** Checks that prompt and variables fit each other, and that the answer schema fits the panel. */
const Together = z
  .object({
    prompt: z.string(),
    variables: z.array(TaskVariable),
    outputSchema: z.unknown(),
    panel: z.custom<TaskPanel | null>(),
  })
  .superRefine(({ prompt, variables, outputSchema, panel }, issues) => {
    for (const [path, message] of checkTaskVariables(prompt, variables)) {
      issues.addIssue({ code: 'custom', message, path: path.split('.') })
    }
    if (panel?.kind === 'coordinate' && outputSchema !== null) {
      const message = 'The roles of a coordination answer in forms of their own. Leave it empty.'
      issues.addIssue({ code: 'custom', message, path: ['outputSchema'] })
    }
  })

/** A task: a saved prompt with variables, which people fill in and run. */
export const tasks = resource({
  ...describedNouns.tasks,
  about: 'saved prompts with variables',
  isVersioned: true,
  together: Together,
  fields: {
    identifier: {
      kind: 'text',
      label: 'Identifier',
      hint: 'Used on the command line and in the API.',
      mono: true,
      schema: Identifier,
    },
    name: { kind: 'text', label: 'Name', schema: Name },
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
      schema: z
        .array(z.strictObject(TaskVariable.shape))
        .max(maxTaskVariables, `At most ${maxTaskVariables} variables.`),
      stored: z.array(TaskVariable),
      defaultValue: [],
      textOf: (variable) => variableWords(TaskVariable.parse(variable)),
    },
    configurationId: {
      kind: 'reference',
      to: 'configuration',
      as: 'configuration',
      label: 'Configuration',
      hint: 'People who may use this configuration may run the task with it. They can pick another one for a run.',
      none: 'picked for each run',
      schema: z.uuid('Pick a configuration.').nullable(),
      defaultValue: null,
    },
    /** The schema of the answer; null = that of the configuration (SPEC Q5). */
    outputSchema: {
      kind: 'textarea',
      codec: 'json',
      label: 'Answer schema',
      hint: 'A JSON Schema that the answer must fit, instead of the schema from the configuration. A run can have a schema of its own.',
      optional: true,
      none: 'from the configuration',
      schema: OutputSchema.nullable(),
      stored: StoredSchema,
      defaultValue: null,
    },
    /** Micro-USD; null = no cap (SPEC M4). */
    costCapMicroUsd: {
      kind: 'money',
      codec: 'usd',
      label: 'Cost cap of a run or panel, US dollars',
      hint: `In a panel, it counts all members. ${panelCapBound}`,
      placeholder: '0.25',
      optional: true,
      none: 'none',
      schema: z
        .int({
          error: ({ input }) =>
            Number.isNaN(input)
              ? 'Enter US dollars such as 0.25, with up to six decimals.'
              : 'A whole number of micro-dollars.',
        })
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
      schema: CostCapMode,
      defaultValue: 'warn',
    },
    /** null = one run. */
    panel: {
      kind: 'own',
      label: 'Panel',
      none: 'one run',
      schema: TaskPanel.nullable(),
      defaultValue: null,
      textOf: (panel) => (panel === null ? '' : panelText(TaskPanel.parse(panel))),
    },
    /** In the order they are sent, behind the configuration's. */
    skills: {
      kind: 'reference',
      to: 'skill',
      as: 'skills',
      isSwitched: true,
      label: 'Skills',
      schema: z
        .array(z.strictObject({ id: z.uuid(), enabled: z.boolean().default(true) }))
        .max(20, 'At most 20 skills.')
        .refine((skills) => new Set(skills.map(({ id }) => id)).size === skills.length, {
          message: 'Name each skill once.',
        }),
      defaultValue: [],
    },
    enabled: switchField(
      'Nobody can start it until it is switched on again. Active runs continue; roles of its panels that have not begun do not begin.',
      'Give a reason: other people run this task.',
    ),
  },
  sorts: ['name', 'configuration', 'version', 'changed', 'state'],
  order: 'name',
  filters: { configuration: z.uuid().optional() },
  /** `runs`: how many there are of it, whoever started them. */
  detail: { runs: z.int(), createdAt: z.string() },
})

export type Task = ListingOf<typeof tasks>
export type TaskDetail = DetailOf<typeof tasks>
/** A stored version of a task. */
export type TaskVersion = VersionOf<typeof tasks>
/** The input for a new task. */
export type TaskInput = z.input<typeof tasks.Create>

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
