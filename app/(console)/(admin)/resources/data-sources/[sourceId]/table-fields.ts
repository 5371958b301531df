import { openedTables } from '@/lib/domains/data-sources/shared/opened-table'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'

type Name = keyof typeof openedTables.fields
type Words = { label: string; hint?: string }
type Choice = { value: string | null | true; label: string; hint?: string }

function wordsOf(name: Name): Words {
  const { label, hint }: Words = openedTables.fields[name]
  return { label, ...(hint !== undefined && { hint }) }
}

/** Returns the field of an opened table that is one of these columns or tables. */
export function pickedFrom(name: Name, choices: readonly Choice[]) {
  return {
    kind: 'select',
    ...wordsOf(name),
    choices,
    search: 'Search columns',
  } as const satisfies FieldShape
}

/** Returns the field of an opened table that is any of these columns or groups. */
export function tickedFrom(name: Name, choices: readonly (Choice & { value: string })[]) {
  return {
    kind: 'checkboxes',
    ...wordsOf(name),
    isColumn: true,
    choices,
  } as const satisfies FieldShape
}

/** Returns names as choices. `none`: the words of the first one, which is no name; left out = one must be picked. */
export function namesAsChoices(names: readonly string[], none?: string): Choice[] {
  const choices = names.map((name) => ({ value: name, label: visibleText(name) }))
  return none === undefined ? choices : [{ value: null, label: none }, ...choices]
}
