import type {
  CreateConfiguration,
  ModelChoice,
} from '@toolgate/server/domains/configurations/schemas'
import { configurationShape } from '@/lib/domains/configurations/shape'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import {
  type ConfigurationParameters,
  defaultParameters,
  figureFault,
  isOptionName,
  isParameterName,
  optionNames,
  type ParameterName,
  parameterLabels,
  parameterNames,
  parametersIn,
  parameterText,
  pick,
  readParameter,
  requestParameterNames,
} from '@/lib/protocol/parameters/parameters'
import type { RunOverrides } from '@/lib/protocol/run/run-overrides'
import { withoutNeedlessNames } from '@/lib/protocol/tool-access'
import { defaultsOf, readTyped, type TypedOf, typedOf } from '@/lib/shape/field-codec'

/** The values of a configuration form: numbers and parameters as text, "" for the default or for none. */
export type ConfigurationDraft = Record<ParameterName, string> & TypedOf<typeof configurationShape>

/** The draft and the note about its change. */
export type TypedConfiguration = ConfigurationDraft & { note: string }

/** The draft of an empty form: default values, and no model. */
export const emptyDraft: ConfigurationDraft = {
  ...typedOf(configurationShape, {
    ...defaultsOf(configurationShape),
    identifier: '',
    name: '',
    modelId: '',
  }),
  ...textsOf(defaultParameters),
}

export function draftOf(form: ConfigurationForm): ConfigurationDraft {
  return {
    ...typedOf(configurationShape, {
      ...form,
      modelId: form.model.id,
      fallbackModelIds: form.fallbacks.map(({ id }) => id),
      groupIds: form.groups.map(({ id }) => id),
    }),
    ...textsOf({ ...defaultParameters, ...parametersIn(form) }),
  }
}

/** Returns the form with what a run had otherwise. The other model stands in the chain once, as the first. */
export function withChanges(
  form: ConfigurationForm,
  { model: modelId, ...changes }: RunOverrides,
  models: readonly Pick<ModelChoice, 'id' | 'name' | 'connectionName'>[],
): ConfigurationForm {
  const other = models.find(({ id }) => id === modelId)
  const fields = ['systemPrompt', 'temperature', 'reasoningEffort', 'maxOutputTokens'] as const
  return {
    ...form,
    ...pick(changes, fields),
    ...(other && {
      model: { id: other.id, name: other.name, connection: other.connectionName },
      fallbacks: form.fallbacks.filter(({ id }) => id !== other.id),
    }),
  }
}

/** Returns what people call a field of the draft. */
export function draftLabel(field: keyof ConfigurationDraft): string {
  return isParameterName(field) ? parameterLabels[field] : configurationShape[field].label
}

function textsOf(parameters: ConfigurationParameters): Record<ParameterName, string> {
  const texts = parameterNames.map((name) => [name, parameterText(name, parameters)])
  // The list has every parameter once.
  return Object.fromEntries(texts) as Record<ParameterName, string>
}

/**
 * Returns the draft as the input of the verbs. Invalid text becomes a value that the server refuses with its own
 * message.
 */
export function toInput(draft: ConfigurationDraft) {
  const facts = readTyped(configurationShape, draft)
  return {
    ...facts,
    allowedTools: withoutNeedlessNames(facts).allowedTools,
    maxRounds: facts.maxRounds ?? 0,
    timeLimitMs: facts.timeLimitMs ?? 0,
    ...readAll(draft, requestParameterNames),
    options: readAll(draft, optionNames),
  } satisfies CreateConfiguration
}

/** Returns the parameters of the draft as input. */
function readAll(draft: ConfigurationDraft, names: readonly ParameterName[]) {
  return Object.fromEntries(names.map((name) => [name, readParameter(name, draft[name])]))
}

/** Returns the fields whose text is no number, each with what to write instead. */
export function figureErrors(draft: ConfigurationDraft): Record<string, string> {
  const parameters = parameterNames.flatMap((name) => {
    const fault = figureFault(name, draft[name])
    return fault === null ? [] : [[isOptionName(name) ? `options.${name}` : name, fault]]
  })
  const facts = readTyped(configurationShape, draft)
  const limits = Object.entries(examples).filter(([field]) =>
    Number.isNaN(facts[field as keyof typeof examples]),
  )
  return Object.fromEntries([
    ...parameters,
    ...limits.map(([field, example]) => [field, `Give a number such as ${example}.`]),
  ])
}

/** A valid value of each limit, which the message about an invalid one shows. */
const examples = { maxRounds: '5', timeLimitMs: '600', costCapMicroUsd: '0.25' } as const
