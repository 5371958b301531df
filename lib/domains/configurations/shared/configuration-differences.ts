import { costCapModeWords } from '@/lib/protocol/cost/cost-cap-words'
import { afterUntrustedWords } from '@/lib/protocol/flow'
import {
  type ConfigurationForm,
  type NamedModel,
  toolModeWords,
} from '@/lib/protocol/parameters/configuration-form'
import {
  type ConfigurationParameters,
  defaultParameters,
  isOptionName,
  type ParameterDescriptor,
  type ParameterName,
  parameterDescriptors,
  parameterList,
  parametersIn,
  parameterText,
  parameterWords,
  pick,
} from '@/lib/protocol/parameters/parameters'
import { overrideWords } from '@/lib/protocol/run/override-names'
import { dataClassWords } from '@/lib/protocol/trust-words'
import {
  formatCostMicroUsd,
  formatCount,
  formatDuration,
  listMeaning,
  listWords,
} from '@/lib/words/format'
import { policyFields, configurationShape as shape } from '../shape'

type PlainField = Exclude<keyof ConfigurationForm, 'options' | ParameterName>
/** A field that is compared on its own: one of the form, or one parameter. */
export type ConfigurationField = PlainField | ParameterName

/** Display of a configuration's field in history, facts and audit. */
type Read = {
  label: string
  words: (form: ConfigurationForm) => string
  /**
   * Returns what is compared; left out = the shown value. Names of other objects may change, and an order may mean
   * nothing.
   */
  key?: (form: ConfigurationForm) => unknown
  /** Returns the entries of a list; null = the field has no list now. */
  list?: (form: ConfigurationForm) => string[] | null
  /** Returns a long text that is compared line by line. */
  lines?: (form: ConfigurationForm) => string
}

const idOf = ({ id }: { id: string }) => id
const modelWords = ({ name, connection }: NamedModel) => `${name} at ${connection}`
const plain = (field: 'identifier' | 'name' | 'description'): Read => ({
  label: shape[field].label,
  words: (form) => form[field] || 'empty',
})
const switched = (field: 'enabled' | 'fourEyes' | 'memoryInPrompt', label: string): Read => ({
  label,
  words: (form) => (form[field] ? 'on' : 'off'),
})
const listed = (
  field: ConfigurationField,
  label: string,
  list: (form: ConfigurationForm) => string[] | null,
  key?: Read['key'],
): Read => ({
  label,
  list,
  words: (form) => configurationListWords(field, list(form)),
  ...(key && { key }),
})

function parameterRead({ key, label, control }: ParameterDescriptor): Read {
  const all = (form: ConfigurationForm): ConfigurationParameters => ({
    ...defaultParameters,
    ...parametersIn(form),
  })
  const isList = control.type === 'list' || control.type === 'lines'
  return {
    label,
    words: (form) => parameterWords(key, all(form)),
    ...(isList && { list: (form) => parameterList(key, all(form)) }),
    ...(control.type === 'json' && { lines: (form) => parameterText(key, all(form)) }),
  }
}

const parameterReads = Object.fromEntries(
  parameterDescriptors.map((descriptor) => [descriptor.key, parameterRead(descriptor)]),
  // The list has every parameter once.
) as Record<ParameterName, Read>

/** Every field in the order of the form. */
const reads: Readonly<Record<ConfigurationField, Read>> = {
  identifier: plain('identifier'),
  name: plain('name'),
  description: plain('description'),
  enabled: switched('enabled', 'State'),
  model: {
    label: shape.modelId.label,
    words: ({ model }) => modelWords(model),
    key: ({ model }) => model.id,
  },
  fallbacks: listed(
    'fallbacks',
    shape.fallbackModelIds.label,
    ({ fallbacks }) => fallbacks.map(modelWords),
    ({ fallbacks }) => fallbacks.map(idOf),
  ),
  systemPrompt: {
    label: shape.systemPrompt.label,
    words: ({ systemPrompt }) => systemPrompt || 'empty',
    lines: ({ systemPrompt }) => systemPrompt,
  },
  ...parameterReads,
  toolMode: {
    label: shape.toolMode.label,
    words: ({ toolMode }) => toolModeWords[toolMode],
  },
  maxRounds: {
    label: shape.maxRounds.label,
    words: ({ maxRounds }) => formatCount(maxRounds),
  },
  timeLimitMs: { label: 'Time limit', words: ({ timeLimitMs }) => formatDuration(timeLimitMs) },
  costCapMicroUsd: {
    label: 'Cost cap',
    words: ({ costCapMicroUsd: cap }) => (cap === null ? 'none' : formatCostMicroUsd(cap)),
  },
  costCapMode: {
    label: shape.costCapMode.label,
    words: ({ costCapMode }) => costCapModeWords[costCapMode],
  },
  allowedToolGroups: listed(
    'allowedToolGroups',
    shape.allowedToolGroups.label,
    ({ allowedToolGroups }) => allowedToolGroups?.toSorted() ?? null,
    ({ allowedToolGroups }) => allowedToolGroups?.toSorted() ?? null,
  ),
  allowedTools: listed('allowedTools', shape.allowedTools.label, ({ allowedTools }) =>
    allowedTools.toSorted(),
  ),
  allowedOverrides: listed(
    'allowedOverrides',
    shape.allowedOverrides.label,
    ({ allowedOverrides }) => allowedOverrides.map((name) => overrideWords[name]),
    ({ allowedOverrides }) => allowedOverrides,
  ),
  raisedDataClass: {
    label: 'Raised data class',
    words: ({ raisedDataClass: raised }) =>
      raised ? dataClassWords[raised] : 'set by the trust zone',
  },
  fourEyes: switched('fourEyes', 'Four eyes'),
  afterUntrusted: {
    label: 'Calls that write after untrusted reads',
    words: ({ afterUntrusted }) => afterUntrustedWords[afterUntrusted],
  },
  memoryInPrompt: switched('memoryInPrompt', 'Notes in the prompt'),
  groups: listed(
    'groups',
    shape.groupIds.label,
    ({ groups }) => groups.map(({ name }) => name).toSorted(),
    ({ groups }) => groups.map(idOf).toSorted(),
  ),
  skills: listed(
    'skills',
    'Skills',
    ({ skills }) =>
      skills.map(({ name, enabled }) => (enabled ? name : `${name} (off in this configuration)`)),
    ({ skills }) => skills.map(({ id, enabled }) => [id, enabled]),
  ),
}

/** Every field in the order of the form. */
export const configurationFields = Object.keys(reads) as ConfigurationField[]

/** Returns what people call a field. */
export function labelOf(field: ConfigurationField): string {
  return reads[field].label
}

/** Returns one field as people read it. */
export function wordsOf(form: ConfigurationForm, field: ConfigurationField): string {
  return reads[field].words(form)
}

/** Returns a field that is a list as a person reads it; null where the form has none. */
export function configurationListWords(
  field: ConfigurationField,
  list: readonly string[] | null,
): string {
  return listWords(listMeaning('configuration', field), list)
}

/** Returns what an empty list of a field means. */
export function emptyListWords(field: string): string {
  return listWords(listMeaning('configuration', field), [])
}

/** A difference between two forms, in words. `text` is long and compared line by line. */
export type ConfigurationDifference = { field: ConfigurationField; label: string } & (
  | { type: 'value'; before: string; after: string }
  | { type: 'text'; before: string; after: string }
  | { type: 'list'; before: string[]; after: string[] }
)

/** Returns the changes that turn `before` into `after`, field by field. Objects with the same id are the same. */
export function diffConfigurations(
  before: ConfigurationForm,
  after: ConfigurationForm,
): ConfigurationDifference[] {
  return configurationFields
    .filter((field) => keyOf(before, field) !== keyOf(after, field))
    .map((field) => differenceOf(field, before, after))
}

/** Returns what restoring `old` changes. The policy stays: each of its fields has a control of its own. */
export function restoredDifferences(
  now: ConfigurationForm,
  old: ConfigurationForm,
): ConfigurationDifference[] {
  return diffConfigurations(now, { ...old, ...pick(now, policyFields) })
}

/** Returns only the fields of `form` in which the two differ, options included. */
export function differingParts(
  form: ConfigurationForm,
  differences: readonly { field: ConfigurationField }[],
): Record<string, unknown> {
  return Object.fromEntries(differences.map(({ field }) => [field, valueIn(form, field)]))
}

function valueIn(form: ConfigurationForm, field: ConfigurationField): unknown {
  return isOptionName(field) ? form.options[field] : form[field]
}

function keyOf(form: ConfigurationForm, field: ConfigurationField): string {
  const { key = (whole) => valueIn(whole, field) } = reads[field]
  return JSON.stringify(key(form))
}

function differenceOf(
  field: ConfigurationField,
  before: ConfigurationForm,
  after: ConfigurationForm,
): ConfigurationDifference {
  const { label, words, list, lines } = reads[field]
  if (lines) return { type: 'text', field, label, before: lines(before), after: lines(after) }
  const [old, now] = [list?.(before), list?.(after)]
  if (old && now) return { type: 'list', field, label, before: old, after: now }
  return { type: 'value', field, label, before: words(before), after: words(after) }
}
