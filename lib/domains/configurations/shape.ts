import { z } from 'zod'
import { costCapModeWords } from '@/lib/protocol/cost/cost-cap-words'
import {
  CostCapMode,
  maxSystemPromptCharacters,
  mostRounds,
  ToolMode,
  toolModeWords,
} from '@/lib/protocol/parameters/configuration-form'
import { requestParameterNames } from '@/lib/protocol/parameters/parameters'
import { AllowedOverrides, overrideWords } from '@/lib/protocol/run/override-names'
import { newSchemasOf, schemasOf } from '@/lib/shape/field-codec'
import { choicesOf, type ResourceField } from '@/lib/shape/field-shape'
import { Identifier, Name } from '@/lib/shape/identifier'
import { formatCount } from '@/lib/words/format'

const text = (max: number) => z.string().max(max, `At most ${formatCount(max)} characters.`)

const toolModeHints: Record<ToolMode, string> = {
  auto: 'Native, or prompted for models without tool calling.',
  native: 'Models without tool calling get no tools.',
  prompted: 'The system prompt explains the tools.',
}

/**
 * The fields of a configuration's form, beside its parameters, which describe themselves. Limits are SPEC R3 (rounds),
 * R8 (time) and M4 (cost). The switch, four eyes and a raised data class have controls and reasons of their own.
 */
export const configurationShape = {
  identifier: {
    kind: 'text',
    label: 'Identifier',
    hint: 'Lower-case letters and digits, with single . _ - between them.',
    schema: Identifier,
  },
  name: {
    kind: 'text',
    label: 'Name',
    schema: Name,
  },
  description: {
    kind: 'textarea',
    label: 'Purpose',
    rows: 2,
    optional: true,
    schema: text(1_000),
    defaultValue: '',
  },
  modelId: { kind: 'own', label: 'Model', schema: z.uuid('Pick a model.') },
  fallbackModelIds: {
    kind: 'own',
    label: 'Fallback models',
    schema: z.array(z.uuid()).max(5, 'At most 5 fallback models.'),
    defaultValue: [],
  },
  systemPrompt: {
    kind: 'textarea',
    label: 'System prompt',
    optional: true,
    schema: text(maxSystemPromptCharacters),
    defaultValue: '',
  },
  toolMode: {
    kind: 'select',
    label: 'Tool mode',
    choices: choicesOf(toolModeWords).map((choice) => ({
      ...choice,
      hint: toolModeHints[choice.value],
    })),
    schema: ToolMode,
    defaultValue: 'auto',
  },
  maxRounds: {
    kind: 'number',
    codec: 'count',
    label: 'Maximum rounds',
    hint: 'Model answers per run, within the site’s limit (Settings).',
    schema: z
      .int('Enter a whole number of rounds.')
      .min(1, 'At least 1 round.')
      .max(mostRounds, `At most ${mostRounds} rounds.`),
    defaultValue: 5,
  },
  timeLimitMs: {
    kind: 'number',
    codec: 'seconds',
    inputMode: 'decimal',
    label: 'Time limit in seconds',
    hint: 'Without time waiting for approvals.',
    schema: z
      .int('Enter a number of seconds.')
      .min(1_000, 'At least one second.')
      .max(86_400_000, 'At most one day.'),
    defaultValue: 600_000,
  },
  costCapMicroUsd: {
    kind: 'money',
    codec: 'usd',
    label: 'Cost cap in US dollars',
    optional: true,
    placeholder: 'None',
    hint: 'Per run, with the turns before it.',
    schema: z
      .int('A cost cap has at most 6 decimals.')
      .min(1, 'A cost cap must be more than 0. Leave it empty for no cost cap.')
      .max(1_000_000_000_000, 'A cost cap is at most 1,000,000 US dollars.')
      .nullable(),
    defaultValue: null,
  },
  costCapMode: {
    kind: 'select',
    label: 'When the cost cap is reached',
    choices: choicesOf(costCapModeWords),
    schema: CostCapMode,
    defaultValue: 'warn',
  },
  /** Null = every group. Sorted, each named once. */
  allowedToolGroups: {
    kind: 'own',
    label: 'Allowed tool groups',
    schema: z
      .array(z.string().min(1).max(100))
      .max(100, 'At most 100 groups.')
      .transform((names) => [...new Set(names)].sort())
      .nullable(),
    defaultValue: null,
  },
  /** Names, beside the groups. Sorted, each named once. */
  allowedTools: {
    kind: 'own',
    label: 'Allowed single tools',
    schema: z
      .array(z.string().min(1).max(100))
      .max(500, 'At most 500 single tools.')
      .transform((names) => [...new Set(names)].sort()),
    defaultValue: [],
  },
  allowedOverrides: {
    kind: 'checkboxes',
    label: 'Members may change per run',
    hint: 'Models of their configurations; only a lower output limit.',
    choices: choicesOf(overrideWords),
    schema: AllowedOverrides,
    defaultValue: [],
  },
  groupIds: {
    kind: 'own',
    label: 'Who may use it',
    schema: z.array(z.uuid()).max(200),
    defaultValue: [],
  },
} as const satisfies Record<string, ResourceField>

/** The schema of each stored field of a configuration. */
export const configurationSchemas = schemasOf(configurationShape)
/** The schemas of a new configuration, in which fields with a default value may be left out. */
export const newConfigurationSchemas = newSchemasOf(configurationShape)

/** The fields that have a column of their own, by the same name. */
export const configurationColumns = [
  'identifier',
  'name',
  'description',
  'modelId',
  'systemPrompt',
  'toolMode',
  'maxRounds',
  'timeLimitMs',
  'costCapMicroUsd',
  'costCapMode',
  'allowedOverrides',
] as const

/** The fields that decide how a run works, beside its models and the further parameters. */
export const workFields = [
  'systemPrompt',
  ...requestParameterNames,
  'toolMode',
  'maxRounds',
  'timeLimitMs',
] as const

/** The fields that `updateConfigurationPolicy` changes, with a reason. */
export const policyFields = [
  'raisedDataClass',
  'fourEyes',
  'afterUntrusted',
  'memoryInPrompt',
  'enabled',
] as const
/** The fields that decide who may use it and what its runs may be offered, beside skills. */
export const accessFields = [
  'groups',
  'allowedToolGroups',
  'allowedTools',
  ...policyFields,
] as const

/** The errors for a policy change without a reason. */
export const policyReasons = {
  raise: 'Say why the provider may receive more sensitive data.',
  switchOff: 'Give a reason: others use this configuration.',
  afterUntrusted: 'Say why calls may write after untrusted reads.',
  memoryInPrompt: 'Say why the provider may receive people’s notes.',
  withoutFourEyes: 'Say why people may approve calls of their own runs.',
} as const
