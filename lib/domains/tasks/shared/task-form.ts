import { z } from 'zod'

/** The type of a variable's value. `boolean` is written `true` or `false`, a `date` as 2026-12-31. */
export const taskVariableTypes = [
  'text',
  'long-text',
  'number',
  'boolean',
  'choice',
  'date',
] as const
export type TaskVariableType = (typeof taskVariableTypes)[number]

export const maxTaskVariables = 30
/** The default maximum of characters in a value. */
export const defaultMaxLength: Record<TaskVariableType, number> = {
  text: 500,
  'long-text': 100_000,
  number: 40,
  boolean: 5,
  choice: 200,
  date: 10,
}

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `At most ${max} characters.`)
    .regex(/^[^\n\r]*$/, 'Enter one line only.')

/** A name is what stands between the braces of a prompt. */
export const TaskVariableName = z
  .string()
  .trim()
  .max(40, 'A name has at most 40 characters.')
  .regex(
    /^[A-Za-z][A-Za-z0-9_]*$/,
    'A name starts with a letter, followed by letters, digits and _, such as release_date.',
  )

/**
 * One variable of a task. Values are text: `default` is one, "" = none. `options` are for `choice` alone, `maxLength`
 * (characters, null = the default) for the two texts.
 */
export const TaskVariable = z.object({
  name: TaskVariableName,
  label: line(100).default(''),
  type: z.enum(taskVariableTypes).default('text'),
  required: z.boolean().default(true),
  default: z.string().max(100_000, 'At most 100,000 characters.').default(''),
  options: z
    .array(line(200).min(1, 'An option must not be empty.'))
    .max(50, 'At most 50 options.')
    .default([]),
  maxLength: z
    .int('Enter a whole number.')
    .min(1, 'At least 1 character.')
    .max(100_000, 'At most 100,000 characters.')
    .nullable()
    .default(null),
})
export type TaskVariable = z.infer<typeof TaskVariable>

/** The values by variable name. Numbers and booleans may be JSON numbers and booleans. */
export const TaskValues = z
  .record(z.string().max(100), z.union([z.string().max(200_000), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= 100, 'At most 100 values.')
export type TaskValues = z.infer<typeof TaskValues>

/** Returns the label of a variable in a form. */
export function variableLabel({ label, name }: Pick<TaskVariable, 'label' | 'name'>): string {
  return label || name
}
