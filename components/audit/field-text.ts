import type { FieldChange } from '@/lib/domains/audit/audit-diff'
import { listMeaning, listWords } from '@/lib/protocol/format'

const mostCharacters = 4_000

/** The fields of a rule that match everything when they are not set. */
const openParts: ReadonlySet<string> = new Set(['toolName', 'toolGroup', 'configurationId'])

/**
 * Returns a recorded value as people read it: text as it is, lists of texts one a line, everything else as JSON.
 * `null` and `[]` have words of their own, by what the field of this kind of object means.
 */
export function fieldText(
  { field, value }: { field: string; value: FieldChange['after'] },
  objectType: string,
): string {
  const text = textOf(value ?? null, objectType, field.split('.').at(-1) ?? field)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)} …` : text
}

function textOf(
  value: NonNullable<FieldChange['after']> | null,
  objectType: string,
  name: string,
): string {
  if (value === '') return 'empty'
  if (typeof value === 'string') return value
  if (value === null && objectType === 'approval-rule' && openParts.has(name)) return 'any'
  if (value === null || Array.isArray(value)) {
    const entries = value?.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    return listWords(listMeaning(objectType, name), entries ?? null, '\n')
  }
  return JSON.stringify(value, null, 2)
}
