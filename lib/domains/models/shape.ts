import { z } from 'zod'
import { effortWords, ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import { ModelParameter, parameterLabels, pick } from '@/lib/protocol/parameters/parameters'
import { schemasOf, type ValuesOf } from '@/lib/shape/field-codec'
import { choicesOf, type ResourceField } from '@/lib/shape/field-shape'
import { nameField } from '@/lib/shape/identifier'

/** Capabilities of a model beside calling tools; null: unknown. */
export const Capability = z.enum(['structuredOutput', 'vision', 'reasoning'])
export type Capability = z.infer<typeof Capability>

export const ToolCalling = z.enum(['confirmed', 'unconfirmed', 'unsupported'])
export type ToolCalling = z.infer<typeof ToolCalling>

export const toolWords: Record<ToolCalling, string> = {
  confirmed: 'Supports tools',
  unconfirmed: 'Tools untested',
  unsupported: 'No tools',
}

/** `reported` by the provider, `tested` with a real call, `assumed` = entered by an admin or from the catalogue. */
export const CapabilitySource = z.enum(['reported', 'tested', 'assumed'])
export type CapabilitySource = z.infer<typeof CapabilitySource>

export const sourceWords: Record<CapabilitySource, string> = {
  reported: 'reported by the provider',
  tested: 'tested',
  assumed: 'as entered or in the catalogue, not tested',
}

function tokens(label: string) {
  return {
    kind: 'number',
    codec: 'count',
    label,
    hint: 'Tokens. Leave empty if unknown.',
    optional: true,
    schema: z
      .int('Enter a whole number of tokens.')
      .min(1, 'At least 1 token.')
      .max(100_000_000, 'At most 100,000,000 tokens.')
      .nullable(),
    defaultValue: null,
  } as const
}

function capability(label: string) {
  return {
    kind: 'select',
    label,
    choices: [
      { value: null, label: 'Unknown' },
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ],
    schema: z.boolean().nullable(),
    defaultValue: null,
  } as const
}

/** Fields of a model beside its prices. Each is audited as it is stored. */
export const modelShape = {
  displayName: nameField,
  contextTokens: tokens('Context window'),
  maxOutputTokens: tokens('Max output'),
  toolCalling: {
    kind: 'select',
    label: 'Tool calling',
    choices: choicesOf(toolWords),
    schema: ToolCalling,
    defaultValue: 'unconfirmed',
  },
  structuredOutput: capability('Structured output'),
  vision: capability('Images'),
  reasoning: capability('Reasoning'),
  reasoningEfforts: {
    kind: 'checkboxes',
    label: 'Reasoning efforts it accepts',
    hint: 'Others are lowered. Leave empty if unknown.',
    choices: choicesOf(pick(effortWords, ReasoningEffort.options)),
    schema: z
      .array(ReasoningEffort)
      .overwrite((efforts) => ReasoningEffort.options.filter((each) => efforts.includes(each))),
    defaultValue: [],
  },
  unsupportedParameters: {
    kind: 'checkboxes',
    label: 'Parameters it does not accept',
    hint: 'Never sent to it.',
    choices: choicesOf(pick(parameterLabels, ModelParameter.options)),
    schema: z.array(ModelParameter).overwrite((names) => [...new Set(names)].toSorted()),
    defaultValue: [],
  },
} as const satisfies Record<string, ResourceField>

export type ModelFacts = ValuesOf<typeof modelShape>

// The type of Object.keys does not say that these are the keys of the shape.
export const modelFields = Object.keys(modelShape) as (keyof ModelFacts)[]

/** Schemas of a model's fields. */
export const modelSchemas = schemasOf(modelShape)

/** Error for switching off a model that configurations use without a reason. */
export const modelReason = 'Give a reason: other people use this model.'
