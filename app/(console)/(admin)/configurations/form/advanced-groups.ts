import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import { setFields, shortWords } from '@/components/forms/field-group'
import { configurationShape } from '@/lib/domains/configurations/shape'
import {
  describedParameters,
  type ParameterName,
  parameterNames,
  pick,
} from '@/lib/protocol/parameters/parameters'
import { OverrideName, overrideWords } from '@/lib/protocol/run/override-names'
import { inSentence } from '@/lib/words/format'
import { type ConfigurationDraft, emptyDraft } from './configuration-draft'
import type { FormChoices } from './read-form-choices'

type ParameterGroup = 'answers' | 'calls' | 'fallback' | 'provider'

/** Group of each parameter in the form. */
const groupOf: Record<ParameterName, ParameterGroup> = {
  temperature: 'answers',
  topP: 'answers',
  maxOutputTokens: 'answers',
  stop: 'answers',
  seed: 'answers',
  reasoningEffort: 'answers',
  verbosity: 'answers',
  outputSchema: 'answers',
  toolChoice: 'calls',
  parallelToolCalls: 'calls',
  promptedHops: 'calls',
  noFallbackOn: 'fallback',
  serviceTier: 'provider',
  extraBody: 'provider',
  promptCaching: 'provider',
}

export function parametersOf(group: ParameterGroup): ParameterName[] {
  return parameterNames.filter((name) => groupOf[name] === group)
}

export const nameFields = pick(configurationShape, ['identifier', 'description'])
export const limitFields = pick(configurationShape, [
  'maxRounds',
  'timeLimitMs',
  'costCapMicroUsd',
  'costCapMode',
])
const modeFields = pick(configurationShape, ['toolMode'])

/** Returns what a draft sets otherwise than by default, by the groups of the form. */
export function setInGroups(draft: ConfigurationDraft, { models, groups }: FormChoices) {
  const fieldsOf = (fields: Parameters<typeof setFields>[0]) => setFields(fields, draft, emptyDraft)
  return {
    names: fieldsOf(nameFields),
    limits: fieldsOf(limitFields),
    answers: setParameters(draft, 'answers'),
    calls: [...fieldsOf(modeFields), ...setParameters(draft, 'calls')],
    fallback: [
      ...namesWords('Fallback models', draft.fallbackModelIds, models),
      ...setParameters(draft, 'fallback'),
    ],
    provider: setParameters(draft, 'provider'),
    people: [
      ...namesWords('Groups', draft.groupIds, groups),
      ...namesWords('Members may change', draft.allowedOverrides, changeNames),
    ],
  }
}

function setParameters(draft: ConfigurationDraft, group: ParameterGroup): string[] {
  return parametersOf(group)
    .filter((name) => draft[name] !== emptyDraft[name] && draft[name] !== '')
    .map((name) => `${describedParameters[name].label} ${parameterWords(name, draft[name])}`)
}

function parameterWords(name: ParameterName, text: string): string {
  const { control } = describedParameters[name]
  switch (control.type) {
    case 'json':
    case 'lines':
      return 'set'
    case 'choice':
    case 'tool-choice':
    case 'list': {
      const labels = control.choices.filter((choice) => text.split(', ').includes(choice.text))
      const words = labels.map(({ label }) => inSentence(label)).join(' and ')
      return words === '' ? shortWords(text.replace(/^tool:/, '')) : words
    }
    case 'switch':
    case 'text':
    case 'number':
      return shortWords(text)
    default:
      return control satisfies never
  }
}

type Named = Pick<ModelChoice, 'id' | 'name'>

const changeNames = OverrideName.options.map((id) => ({
  id,
  name: inSentence(overrideWords[id]),
}))

function namesWords(label: string, ids: readonly string[], known: readonly Named[]): string[] {
  const names = ids.flatMap((id) => known.find((each) => each.id === id)?.name ?? [])
  return names.length === 0 ? [] : [`${label} ${new Intl.ListFormat('en').format(names)}`]
}
