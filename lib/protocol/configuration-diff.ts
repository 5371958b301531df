import {
  type ConfigurationForm,
  costCapModeWords,
  dataClassWords,
  type NamedModel,
  toolModeWords,
} from './configuration-form'
import { formatCostMicroUsd, formatCount, formatDuration, listMeaning, listWords } from './format'
import {
  type ConfigurationParameters,
  defaultParameters,
  describedParameters,
  isOptionName,
  isParameterName,
  type ParameterName,
  parameterLabels,
  parameterList,
  parametersIn,
  parameterText,
  parameterWords,
} from './parameters'

type PlainField = Exclude<keyof ConfigurationForm, 'options' | ParameterName>
/** A field of the form, or one of its parameters. Each is compared separately. */
export type ConfigurationField = PlainField | ParameterName
type Field = ConfigurationField

/** The difference of two forms, for people. `text` is long, so it is compared line by line. */
export type ConfigurationDifference = { field: Field; label: string } & (
  | { type: 'value'; before: string; after: string }
  | { type: 'text'; before: string; after: string }
  | { type: 'list'; before: string[]; after: string[] }
)

/** Every field in the order of the form, with its label. */
export const configurationLabels: Record<Field, string> = {
  identifier: 'Identifier',
  name: 'Name',
  description: 'Description',
  enabled: 'State',
  model: 'Model',
  fallbacks: 'Fallback models',
  systemPrompt: 'System prompt',
  ...parameterLabels,
  toolMode: 'Tool mode',
  maxRounds: 'Maximum rounds',
  timeLimitMs: 'Time limit',
  costCapMicroUsd: 'Cost cap',
  costCapMode: 'When the cost cap is reached',
  allowedToolGroups: 'Allowed tool groups',
  raisedDataClass: 'Raised data class',
  fourEyes: 'Four eyes',
  groups: 'Who may use it',
  skills: 'Skills',
}

const fields = Object.keys(configurationLabels) as Field[]

/** Returns the changes that turn `before` into `after`, field by field. Objects with the same id are the same. */
export function diffConfigurations(
  before: ConfigurationForm,
  after: ConfigurationForm,
): ConfigurationDifference[] {
  return fields
    .filter((field) => fieldKey(before, field) !== fieldKey(after, field))
    .map((field) => differenceOf(field, before, after))
}

/** Returns only the fields of `form` in which the two differ, options included. */
export function differingParts(
  form: ConfigurationForm,
  differences: readonly { field: Field }[],
): Record<string, unknown> {
  return Object.fromEntries(differences.map(({ field }) => [field, valueIn(form, field)]))
}

function valueIn(form: ConfigurationForm, field: Field): unknown {
  return isOptionName(field) ? form.options[field] : form[field]
}

/**
 * Returns what a field is compared by. Names may change without the configuration; the order counts where it has a
 * meaning.
 */
function fieldKey(form: ConfigurationForm, field: Field): string {
  switch (field) {
    case 'model':
      return form.model.id
    case 'fallbacks':
      return JSON.stringify(form.fallbacks.map(({ id }) => id))
    case 'groups':
      return JSON.stringify(form.groups.map(({ id }) => id).toSorted())
    case 'skills':
      return JSON.stringify(form.skills.map(({ id, enabled }) => [id, enabled]))
    case 'allowedToolGroups':
      return JSON.stringify(form.allowedToolGroups?.toSorted() ?? null)
    default:
      return JSON.stringify(valueIn(form, field))
  }
}

function differenceOf(
  field: Field,
  before: ConfigurationForm,
  after: ConfigurationForm,
): ConfigurationDifference {
  const label = configurationLabels[field]
  if (field === 'systemPrompt') {
    return { type: 'text', field, label, before: before[field], after: after[field] }
  }
  if (isParameterName(field)) return parameterDifference(field, before, after)
  const lists = [listOf(before, field), listOf(after, field)] as const
  if (lists[0] && lists[1]) {
    return { type: 'list', field, label, before: lists[0], after: lists[1] }
  }
  const [old, now] = [wordsOf(before, field), wordsOf(after, field)]
  return { type: 'value', field, label, before: old, after: now }
}

function parametersOf(form: ConfigurationForm): ConfigurationParameters {
  return { ...defaultParameters, ...parametersIn(form) }
}

function parameterDifference(
  field: ParameterName,
  formBefore: ConfigurationForm,
  formAfter: ConfigurationForm,
): ConfigurationDifference {
  const [before, after] = [parametersOf(formBefore), parametersOf(formAfter)]
  const { label, control } = describedParameters[field]
  if (control.type === 'list' || control.type === 'lines') {
    const lists = { before: parameterList(field, before), after: parameterList(field, after) }
    return { type: 'list', field, label, ...lists }
  }
  if (control.type === 'json') {
    const texts = { before: parameterText(field, before), after: parameterText(field, after) }
    return { type: 'text', field, label, ...texts }
  }
  const words = { before: parameterWords(field, before), after: parameterWords(field, after) }
  return { type: 'value', field, label, ...words }
}

/** Returns the list in a field; null where the field is not a list now. */
function listOf(form: ConfigurationForm, field: PlainField): string[] | null {
  switch (field) {
    case 'fallbacks':
      return form.fallbacks.map(modelWords)
    case 'groups':
      return form.groups.map(({ name }) => name).toSorted()
    case 'skills':
      return form.skills.map(({ name, enabled }) =>
        enabled ? name : `${name} (off in this configuration)`,
      )
    case 'allowedToolGroups':
      return form.allowedToolGroups?.toSorted() ?? null
    default:
      return null
  }
}

function modelWords({ name, connection }: NamedModel): string {
  return `${name} at ${connection}`
}

/** Returns a field that is a list as a person reads it; null where the form has none. */
export function configurationListWords(field: Field, list: readonly string[] | null): string {
  return listWords(listMeaning('configuration', field), list)
}

/** Returns one field as people read it. */
export function wordsOf(form: ConfigurationForm, field: Field): string {
  if (isParameterName(field)) return parameterWords(field, parametersOf(form))
  const list = listOf(form, field)
  if (list) return configurationListWords(field, list)
  switch (field) {
    case 'model':
      return modelWords(form.model)
    case 'enabled':
    case 'fourEyes':
      return form[field] ? 'on' : 'off'
    case 'timeLimitMs':
      return formatDuration(form.timeLimitMs)
    case 'costCapMicroUsd':
      return form.costCapMicroUsd === null ? 'none' : formatCostMicroUsd(form.costCapMicroUsd)
    case 'allowedToolGroups':
      return configurationListWords(field, null)
    case 'raisedDataClass':
      return form.raisedDataClass ? dataClassWords[form.raisedDataClass] : 'set by the trust zone'
    case 'toolMode':
      return toolModeWords[form.toolMode]
    case 'costCapMode':
      return costCapModeWords[form.costCapMode]
    case 'maxRounds':
      return formatCount(form.maxRounds)
    default:
      return String(form[field]) || 'empty'
  }
}
