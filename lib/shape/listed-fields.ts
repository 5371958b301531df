import { factText } from './field-codec'
import type { ResourceField } from './field-shape'
import { calledOf, type ResourceFields } from './resource'

type Named = [name: string, field: ResourceField]
type Row = Readonly<Record<string, unknown>>

/** Returns the fields that lists show beside the name and the switch, in the order of the form. */
export function listedFields(fields: ResourceFields): Named[] {
  return Object.entries(fields).filter(
    ([name, { listed }]) => listed !== undefined && name !== 'name',
  )
}

/** Returns the head of a field's column. */
export function listedHead({ label, listed }: ResourceField): string {
  return wordsOf(listed).head ?? label
}

/** Returns a field of an object as a column of its list shows it. */
export function listedText([name, field]: Named, row: Row): string {
  const { of, yes = 'yes', no = 'no' } = wordsOf(field.listed)
  if (of !== undefined) return textIn(row, of)
  if (field.isSecret) return [row.secrets ?? []].flat().includes(name) ? 'stored' : 'none'
  if (field.kind === 'reference') return calledIn(row[field.as]) || (field.none ?? '')
  if (field.kind !== 'checkbox') return factText(field, row[name], row)
  return row[name] === true ? yes : no
}

/** Returns what may be shown of a secret: the listed value in its place; "" = nothing. */
export function shownOfSecret({ listed }: ResourceField, row: Row): string {
  const { of } = wordsOf(listed)
  return of === undefined ? '' : textIn(row, of)
}

/** Returns a field of an object as the card of a narrow screen shows it; "" = it does not. */
export function cardText([name, field]: Named, row: Row): string {
  const { of, card = '' } = wordsOf(field.listed)
  if (of === undefined && (field.isSecret || field.kind === 'reference')) return ''
  if (field.kind === 'checkbox') return row[name] === true ? card : ''
  return listedText([name, field], row)
}

type Words = Exclude<ResourceField['listed'], true | undefined>

function wordsOf(listed: ResourceField['listed'] = true): Words {
  return listed === true ? {} : listed
}

/** Returns what a reference names, with commas between several. */
function calledIn(to: unknown): string {
  return [to ?? []]
    .flat()
    .map((each) => calledOf({ ...Object(each) }))
    .join(', ')
}

function textIn(row: Row, name: string): string {
  return String(row[name] ?? '')
}

function searchedFields(fields: ResourceFields): Named[] {
  return Object.entries(fields).filter(([name, { searched }]) => name === 'name' || searched)
}

/** Returns the texts of an object that a search looks at: of its name, and of the fields that are `searched`. */
export function searchedTexts(fields: ResourceFields, row: Row): string[] {
  return searchedFields(fields).map(([name, { listed }]) => textIn(row, wordsOf(listed).of ?? name))
}

/** Returns what a search looks at in words: "name, path and note". */
export function searchedWords(fields: ResourceFields): string {
  const words = searchedFields(fields).map(([, { label, searched }]) =>
    typeof searched === 'string' ? searched : label.toLowerCase(),
  )
  const [last = '', ...others] = words.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`
}
