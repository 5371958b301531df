import { wordsOf } from '@/lib/protocol/nouns'
import { listMeaning, listWords, usdText } from '@/lib/words/format'
import { type EntryOf, type GivenOf, type Kind, keys, siteResources } from './site-file'

type ResourceKind = keyof typeof siteResources

/** Words for one of each kind that no resource describes. */
const furtherWords: Record<Exclude<Kind, ResourceKind>, string> = {
  connections: 'connection',
  models: 'model',
  skills: 'skill',
  configurations: 'configuration',
  tools: 'tool',
  toolApprovals: 'approval of a tool',
  toolLimits: 'limit of a tool',
  toolGroups: 'tool group',
}

/** Returns what one of a kind is called. */
export function kindWord(kind: Kind): string {
  return isDescribed(kind) ? wordsOf(siteResources[kind]).one : furtherWords[kind]
}

function isDescribed(kind: Kind): kind is ResourceKind {
  return Object.hasOwn(siteResources, kind)
}

/** Returns the name that tells an entry from the others of its kind; people read it too. */
export function entryKey<K extends Kind>(kind: K, entry: EntryOf<K> | GivenOf<K>): string {
  const values: Readonly<Record<string, unknown>> = entry
  if (kind === 'models') return `${values.connection} / ${values.model}`
  return String(values['identifier' in keys[kind] ? 'identifier' : 'name'])
}

/** Returns a field's value in a plan as people read it: JSON, or words for what is absent or empty. */
export function valueText(kind: Kind, field: string, value: unknown): string {
  if (value === undefined) return 'nothing'
  const isEmptyList = Array.isArray(value) && value.length === 0
  if (value !== null && !isEmptyList) return JSON.stringify(value)
  return listWords(listMeaning(kindWord(kind), field), isEmptyList ? [] : null)
}

const amounts: ReadonlySet<string> = new Set(['costCapUsd', 'prices'])

/** Returns a field's value as the file has it: micro-USD as dollars in quotes, never a floating-point number. */
export function asWritten(field: string, value: unknown): unknown {
  return amounts.has(field) ? inDollars(value) : value
}

function inDollars(value: unknown): unknown {
  if (typeof value === 'number') return usdText(value)
  if (Array.isArray(value)) return value.map(inDollars)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inDollars(part)]))
}

/** Returns a configuration with only these of its fields, and what tells it from the others. */
export function only(
  given: GivenOf<'configurations'>,
  fields: ReadonlySet<string>,
): GivenOf<'configurations'> {
  const entries = Object.entries(given).filter(
    ([field]) => field === 'identifier' || fields.has(field),
  )
  // All but the key may be left out; the compiler does not follow Object.fromEntries.
  return Object.fromEntries(entries) as GivenOf<'configurations'>
}
