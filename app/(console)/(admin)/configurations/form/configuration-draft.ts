import type { CreateConfiguration } from '@/lib/domains/configurations/schemas'
import type { ConfigurationForm } from '@/lib/protocol/configuration-form'
import {
  parseCount,
  parseSeconds,
  parseUsd,
  secondsText,
  typedFigure,
  usdText,
} from '@/lib/protocol/format'
import {
  type ConfigurationParameters,
  defaultParameters,
  figureFault,
  isOptionName,
  optionNames,
  type ParameterName,
  parameterNames,
  parametersIn,
  parameterText,
  readParameter,
  requestParameterNames,
} from '@/lib/protocol/parameters'

/**
 * A configuration as the form holds it: figures and parameters as they are typed, "" for the model's default or none.
 */
export type ConfigurationDraft = Record<ParameterName, string> & {
  identifier: string
  name: string
  description: string
  /** "" = none was picked yet. */
  modelId: string
  fallbackModelIds: string[]
  systemPrompt: string
  toolMode: ConfigurationForm['toolMode']
  maxRounds: string
  /** Seconds. */
  timeLimit: string
  /** US dollars. */
  costCap: string
  costCapMode: ConfigurationForm['costCapMode']
  allowedToolGroups: string[] | null
  groupIds: string[]
}

/** The draft, with why it is saved. */
export type TypedConfiguration = ConfigurationDraft & { note: string }

export const emptyDraft: ConfigurationDraft = {
  identifier: '',
  name: '',
  description: '',
  modelId: '',
  fallbackModelIds: [],
  systemPrompt: '',
  toolMode: 'auto',
  maxRounds: '5',
  timeLimit: '600',
  costCap: '',
  costCapMode: 'warn',
  allowedToolGroups: null,
  groupIds: [],
  ...textsOf(defaultParameters),
}

export function draftOf(form: ConfigurationForm): ConfigurationDraft {
  const { identifier, name, description, systemPrompt, toolMode, costCapMode } = form
  return {
    identifier,
    name,
    description,
    systemPrompt,
    toolMode,
    costCapMode,
    modelId: form.model.id,
    fallbackModelIds: form.fallbacks.map(({ id }) => id),
    maxRounds: String(form.maxRounds),
    timeLimit: secondsText(form.timeLimitMs),
    costCap: form.costCapMicroUsd === null ? '' : usdText(form.costCapMicroUsd),
    allowedToolGroups: form.allowedToolGroups,
    groupIds: form.groups.map(({ id }) => id),
    ...textsOf({ ...defaultParameters, ...parametersIn(form) }),
  }
}

function textsOf(parameters: ConfigurationParameters): Record<ParameterName, string> {
  const texts = parameterNames.map((name) => [name, parameterText(name, parameters)])
  // The list has every parameter once.
  return Object.fromEntries(texts) as Record<ParameterName, string>
}

/** Returns the form as it is sent. Invalid text is sent as a value that the server refuses with its own message. */
export function toInput(draft: ConfigurationDraft) {
  const { identifier, name, description, modelId, fallbackModelIds, systemPrompt } = draft
  const { toolMode, costCapMode, allowedToolGroups, groupIds } = draft
  return {
    identifier,
    name,
    description,
    modelId,
    fallbackModelIds,
    systemPrompt,
    ...readAll(draft, requestParameterNames),
    options: readAll(draft, optionNames),
    toolMode,
    maxRounds: figureOf(draft, 'maxRounds') ?? 0,
    timeLimitMs: figureOf(draft, 'timeLimit') ?? 0,
    costCapMicroUsd: figureOf(draft, 'costCap'),
    costCapMode,
    allowedToolGroups,
    groupIds,
  } satisfies CreateConfiguration
}

/** Returns what was typed as input, for the server to check. */
function readAll(draft: ConfigurationDraft, names: readonly ParameterName[]) {
  return Object.fromEntries(names.map((name) => [name, readParameter(name, draft[name])]))
}

/** Returns the fields whose text is no number, each with what to write instead. */
export function figureErrors(draft: ConfigurationDraft): Record<string, string> {
  const parameters = parameterNames.flatMap((name) => {
    const fault = figureFault(name, draft[name])
    return fault === null ? [] : [[isOptionName(name) ? `options.${name}` : name, fault]]
  })
  const limits = Object.entries(figures).filter(([field]) =>
    Number.isNaN(figureOf(draft, field as keyof typeof figures)),
  )
  return Object.fromEntries([
    ...parameters,
    ...limits.map(([, { name, example }]) => [name, `Give a number such as ${example}.`]),
  ])
}

/** Each limit with its name where it is sent, how it is read, and what to write instead of what is none. */
const figures = {
  maxRounds: { name: 'maxRounds', parse: parseCount, example: '5' },
  timeLimit: { name: 'timeLimitMs', parse: parseSeconds, example: '600' },
  costCap: { name: 'costCapMicroUsd', parse: parseUsd, example: '0.25' },
} as const

function figureOf(draft: ConfigurationDraft, field: keyof typeof figures): number | null {
  return typedFigure(draft[field], figures[field].parse)
}
