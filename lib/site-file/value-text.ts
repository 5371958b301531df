import { listMeaning, listWords } from '../protocol/format'
import { kindWord } from './entry-key'
import type { Kind } from './site-file'

/** Returns a field's value in a plan as people read it: JSON, or words for what is absent or empty. */
export function valueText(kind: Kind, field: string, value: unknown): string {
  if (value === undefined) return 'nothing'
  const isEmptyList = Array.isArray(value) && value.length === 0
  if (value !== null && !isEmptyList) return JSON.stringify(value)
  return listWords(listMeaning(kindWord(kind), field), isEmptyList ? [] : null)
}
