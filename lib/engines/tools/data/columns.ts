/**
 * A column of a table. `base`: its type without a length, and what a domain is made of. `labels`: the values of an enumeration, in
 * their order; null = it is none. `operators`: the schema with the operators that order it; null = it has no order.
 */
export type Column = {
  name: string
  type: string
  base: string
  kind: 'range' | 'other'
  labels: string[] | null
  operators: string | null
}

/** Returns a name as it stands in a statement. No name may get into a statement in another way. */
export function quoted(name: string): string {
  if (name === '' || name.includes('\0')) throw new Error('This is no name of a database.')
  return `"${name.replaceAll('"', '""')}"`
}

const textTypes = new Set(['text', 'character varying', 'bpchar', 'citext', 'name'])

/** Returns whether a search looks into a column. */
export function isText({ base }: Column): boolean {
  return textTypes.has(base.replace(/^.*\./, ''))
}

/** Returns what is read of a column as text: at most so many characters, and of bytes only how many there are. */
export function shownSide({ name, base }: Column, characters: number): string {
  const side = quoted(name)
  if (base === 'bytea') return `'[' || octet_length(${side}) || ' bytes]'`
  if (base === 'money') return `${side}::numeric::text`
  return `left(${side}::text, ${characters})`
}

const numbers = new Set(['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision'])

/** Returns the condition for rows that are not marked as deleted: it is true or false, never NULL. */
export function notDeleted({ name, base }: Column): string {
  const side = quoted(name)
  if (base === 'boolean') return `${side} IS NOT TRUE`
  if (numbers.has(base)) return `coalesce(${side}, 0) = 0`
  // Some software writes the beginning of its calendar where there is no time.
  if (/^(?:date|timestamp)/.test(base)) return `(${side} IS NULL OR ${side} < '1970-01-02')`
  return `coalesce(lower(btrim(${side}::text)), '') IN ('', 'n', 'no', 'f', 'false', '0')`
}

const deletedNames = /^(?:is_?)?deleted(?:_?(?:at|on|date|time))?$/i

/** Returns the column that looks like the mark of deleted rows; null = there is none. */
export function deletedMark(columns: readonly Pick<Column, 'name'>[]): string | null {
  return columns.find(({ name }) => deletedNames.test(name))?.name ?? null
}
