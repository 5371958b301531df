'use client'
import { FormField, FormFields } from '@/components/forms/form-field'
import { capabilityWords, toolWords } from '@/components/nouns/model-words'
import { Capability, type ModelDetails, type ToolCalling } from '@/lib/domains/models/schemas'
import type { FieldShape } from '@/lib/protocol/field-shape'
import { parseCount, typedFigure } from '@/lib/protocol/format'
import { effortWords, ReasoningEffort } from '@/lib/protocol/parameter-values'
import { ModelParameter, parameterLabels } from '@/lib/protocol/parameters'

/** What is known of a model as it is typed: figures as text, "" where nothing is known. */
export type TypedFacts = {
  displayName: string
  contextTokens: string
  maxOutputTokens: string
  toolCalling: ToolCalling
  reasoningEfforts: ReasoningEffort[]
  unsupportedParameters: ModelParameter[]
} & Record<Capability, boolean | null>

export const nothingKnown: TypedFacts = {
  displayName: '',
  contextTokens: '',
  maxOutputTokens: '',
  toolCalling: 'unconfirmed',
  structuredOutput: null,
  vision: null,
  reasoning: null,
  reasoningEfforts: [],
  unsupportedParameters: [],
}

export function factsOf(model: ModelDetails): TypedFacts {
  const { displayName, toolCalling, structuredOutput, vision, reasoning } = model
  const { reasoningEfforts, unsupportedParameters } = model
  return {
    displayName,
    contextTokens: String(model.contextTokens ?? ''),
    maxOutputTokens: String(model.maxOutputTokens ?? ''),
    toolCalling,
    structuredOutput,
    vision,
    reasoning,
    reasoningEfforts,
    unsupportedParameters,
  }
}

/** The facts as they are sent; NaN = no figure, which the server refuses. */
export function toFacts({ contextTokens, maxOutputTokens, ...facts }: TypedFacts) {
  return {
    ...facts,
    contextTokens: typedFigure(contextTokens, parseCount),
    maxOutputTokens: typedFigure(maxOutputTokens, parseCount),
  }
}

const tokens = (label: string): FieldShape => ({
  kind: 'number',
  label,
  hint: 'In tokens. Leave empty if unknown.',
  optional: true,
})
const capability = (name: Capability): FieldShape => ({
  kind: 'select',
  label: capabilityWords[name],
  choices: [
    { value: null, label: 'Unknown' },
    { value: true, label: 'Yes' },
    { value: false, label: 'No' },
  ],
})
const choices = <T extends string>(values: readonly T[], words: Record<T, string>) =>
  values.map((value) => ({ value, label: words[value] }))

const nameField: FieldShape = { kind: 'text', label: 'Name', hint: 'Shown to people.' }
const paired: Record<string, FieldShape> = {
  contextTokens: tokens('Context window'),
  maxOutputTokens: tokens('Max output'),
  toolCalling: {
    kind: 'select',
    label: 'Tool calling',
    hint: "Test it on the model's page.",
    choices: Object.entries(toolWords).map(([value, label]) => ({ value, label })),
  },
  ...Object.fromEntries(Capability.options.map((name) => [name, capability(name)])),
}
const accepted: Record<string, FieldShape> = {
  reasoningEfforts: {
    kind: 'checkboxes',
    label: 'Reasoning efforts it accepts',
    hint: 'An effort it does not accept is sent as the next lower one. Leave all empty if unknown.',
    choices: choices(ReasoningEffort.options, effortWords),
  },
  unsupportedParameters: {
    kind: 'checkboxes',
    label: 'Parameters it does not accept',
    hint: 'They are never sent to this model, even if a configuration sets them.',
    choices: choices(ModelParameter.options, parameterLabels),
  },
}

/** What is known of a model, for the forms that add and change one. */
export function FactFields() {
  return (
    <>
      <FormField name="displayName" shape={nameField} />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormFields fields={paired} />
      </div>
      <FormFields fields={accepted} />
    </>
  )
}
