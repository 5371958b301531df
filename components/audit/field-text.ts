import type { FieldChange } from '@/lib/audit/audit-diff'

const mostCharacters = 4_000

/** A recorded value as people read it: text as it is, lists of texts one a line, everything else as JSON. */
export function fieldText(value: FieldChange['after']): string {
  if (value === undefined || value === null) return 'none'
  const text = textOf(value)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)} …` : text
}

function textOf(value: NonNullable<FieldChange['after']>): string {
  if (value === '') return 'empty'
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2)
  if (value.length === 0) return 'none'
  return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
}
