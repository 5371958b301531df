import type { CreateConfiguration } from '@/lib/domains/configurations/schemas'
import {
  parseCount,
  parseDecimal,
  parseSeconds,
  parseUsd,
  secondsText,
  typedFigure,
  usdText,
} from '@/lib/protocol/codecs'
import type { ConfigurationForm } from '@/lib/protocol/configuration-form'
import {
  defaultOptions,
  type OptionName,
  type ReasoningEffort,
} from '@/lib/protocol/configuration-options'
import { optionNames, optionText, readOption } from '@/lib/protocol/option-descriptors'

/** A configuration as the form holds it: figures and options as they are typed, "" for the model's default or none. */
export type ConfigurationDraft = Record<OptionName, string> & {
  identifier: string
  name: string
  description: string
  /** "" = none was picked yet. */
  modelId: string
  fallbackModelIds: string[]
  systemPrompt: string
  temperature: string
  topP: string
  maxOutputTokens: string
  /** One on each line; `\n` stands for the end of a line in it. */
  stop: string
  seed: string
  reasoningEffort: '' | ReasoningEffort
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

export type DraftProps = {
  draft: ConfigurationDraft
  errors: Partial<Record<string, string>>
  onChange: (part: Partial<ConfigurationDraft>) => void
}

export const emptyDraft: ConfigurationDraft = {
  identifier: '',
  name: '',
  description: '',
  modelId: '',
  fallbackModelIds: [],
  systemPrompt: '',
  temperature: '',
  topP: '',
  maxOutputTokens: '',
  stop: '',
  seed: '',
  reasoningEffort: '',
  toolMode: 'auto',
  maxRounds: '5',
  timeLimit: '600',
  costCap: '',
  costCapMode: 'warn',
  allowedToolGroups: null,
  groupIds: [],
  ...optionTexts(defaultOptions),
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
    temperature: textOf(form.temperature),
    topP: textOf(form.topP),
    maxOutputTokens: textOf(form.maxOutputTokens),
    stop: form.stop.map(escapeLineEnds).join('\n'),
    seed: textOf(form.seed),
    reasoningEffort: form.reasoningEffort ?? '',
    maxRounds: String(form.maxRounds),
    timeLimit: secondsText(form.timeLimitMs),
    costCap: form.costCapMicroUsd === null ? '' : usdText(form.costCapMicroUsd),
    allowedToolGroups: form.allowedToolGroups,
    groupIds: form.groups.map(({ id }) => id),
    ...optionTexts(form.options),
  }
}

function optionTexts(options: ConfigurationForm['options']): Record<OptionName, string> {
  const texts = optionNames.map((name) => [name, optionText(name, options)])
  // The list has every option once.
  return Object.fromEntries(texts) as Record<OptionName, string>
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
    temperature: figureOf(draft, 'temperature'),
    topP: figureOf(draft, 'topP'),
    maxOutputTokens: figureOf(draft, 'maxOutputTokens'),
    stop: draft.stop.split('\n').filter(Boolean).map(unescapeLineEnds),
    seed: figureOf(draft, 'seed'),
    reasoningEffort: draft.reasoningEffort || null,
    options: Object.fromEntries(
      optionNames.map((option) => [option, readOption(option, draft[option])]),
    ),
    toolMode,
    maxRounds: figureOf(draft, 'maxRounds') ?? 0,
    timeLimitMs: figureOf(draft, 'timeLimit') ?? 0,
    costCapMicroUsd: figureOf(draft, 'costCap'),
    costCapMode,
    allowedToolGroups,
    groupIds,
  } satisfies CreateConfiguration
}

/** Which fields hold something that is no number, each with what to write instead. */
export function figureErrors(draft: ConfigurationDraft): Record<string, string> {
  const wrong = Object.entries(figures).filter(([field]) =>
    Number.isNaN(figureOf(draft, field as keyof typeof figures)),
  )
  return Object.fromEntries(
    wrong.map(([, { name, example }]) => [name, `Give a number such as ${example}.`]),
  )
}

/** Each figure with its name where it is sent, how it is read, and what to write instead of what is none. */
const figures = {
  temperature: { name: 'temperature', parse: parseDecimal, example: '0.7' },
  topP: { name: 'topP', parse: parseDecimal, example: '0.9' },
  maxOutputTokens: { name: 'maxOutputTokens', parse: parseCount, example: '4000' },
  seed: { name: 'seed', parse: parseDecimal, example: '42' },
  maxRounds: { name: 'maxRounds', parse: parseCount, example: '5' },
  timeLimit: { name: 'timeLimitMs', parse: parseSeconds, example: '600' },
  costCap: { name: 'costCapMicroUsd', parse: parseUsd, example: '0.25' },
} as const

function figureOf(draft: ConfigurationDraft, field: keyof typeof figures): number | null {
  return typedFigure(draft[field], figures[field].parse)
}

function textOf(figure: number | null): string {
  return figure === null ? '' : String(figure)
}

function escapeLineEnds(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function unescapeLineEnds(text: string): string {
  return text.replace(/\\(n|\\)/g, (_, letter) => (letter === 'n' ? '\n' : '\\'))
}
