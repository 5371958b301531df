/** A column of a table. `base`: its type without a length, and what a domain is made of. */
export type Column = { name: string; type: string; base: string }

/** Returns a name as it stands in a statement. No name may get into a statement in another way. */
export function quoted(name: string): string {
  if (name === '' || name.includes('\0')) throw new Error('This is no name of a database.')
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * How the values of a column are compared with text from a call: `side` is the column, `cast` the type of the parameter. `takes`: whether
 * a text is a value of this type, so that no wrong one reaches the database.
 */
export type Comparison = { side: string; cast: string; takes: (text: string) => boolean }

const whole = /^-?\d{1,19}$/
const mostWhole = { smallint: 2n ** 15n, integer: 2n ** 31n, bigint: 2n ** 63n }

/** Returns how a column is compared. Types that are not listed are compared as the text that is shown of them. */
export function comparisonOf({ name, base }: Column): Comparison {
  const side = quoted(name)
  switch (base) {
    case 'smallint':
    case 'integer':
    case 'bigint':
      return { side, cast: base, takes: (text) => isWhole(text, mostWhole[base]) }
    case 'numeric':
      return { side, cast: base, takes: (text) => /^-?\d{1,100}(\.\d{1,100})?$/.test(text) }
    case 'boolean':
      return { side, cast: base, takes: (text) => text === 'true' || text === 'false' }
    case 'uuid':
      return {
        side,
        cast: base,
        takes: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
      }
    case 'text':
    case 'character varying':
      return { side, cast: 'text', takes: isStorable }
    default:
      return { side: `${side}::text`, cast: 'text', takes: isStorable }
  }
}

function isWhole(text: string, most: bigint): boolean {
  return whole.test(text) && BigInt(text) >= -most && BigInt(text) < most
}

/** Returns whether PostgreSQL takes a text: without NUL, and no half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

const textTypes = new Set(['text', 'character varying', 'character', 'citext', 'name'])

/** Returns whether a search looks into a column. */
export function isText({ base }: Column): boolean {
  return textTypes.has(base.replace(/^.*\./, ''))
}

/** Returns what is read of a column as text: at most so many characters, and of bytes only how many there are. */
export function shownSide({ name, base }: Column, characters: number): string {
  const side = quoted(name)
  if (base === 'bytea') return `'[' || octet_length(${side}) || ' bytes]'`
  return `left(${side}::text, ${characters})`
}

/** Returns the condition for rows that are not marked as deleted. */
export function notDeleted({ name, base }: Column): string {
  const side = quoted(name)
  if (base === 'boolean') return `${side} IS NOT TRUE`
  if (base in mostWhole) return `coalesce(${side}, 0) = 0`
  return `${side} IS NULL`
}

const deletedNames = /^(?:is_?)?deleted(?:_?(?:at|on|date|time))?$/i

/** Returns the column that looks like the mark of deleted rows; null = there is none. */
export function deletedMark(columns: readonly Pick<Column, 'name'>[]): string | null {
  return columns.find(({ name }) => deletedNames.test(name))?.name ?? null
}

const date = String.raw`\d{4,5}-\d\d-\d\d`
const time = String.raw`\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?`
const zone = String.raw`(?:Z|[+-]\d\d(?::?\d\d)?)?`
/** Without words such as "now", which are another value when a call runs than when a person saw it. */
const writtenForms: Readonly<Record<string, RegExp>> = {
  real: /^-?\d{1,100}(\.\d{1,100})?(e[+-]?\d{1,3})?$/i,
  'double precision': /^-?\d{1,100}(\.\d{1,100})?(e[+-]?\d{1,3})?$/i,
  date: new RegExp(`^${date}$`),
  'time without time zone': new RegExp(`^${time}$`),
  'timestamp without time zone': new RegExp(`^${date}[T ]${time}$`),
  'timestamp with time zone': new RegExp(`^${date}[T ]${time}${zone}$`),
}

/** Returns how a text from a call is written into a column: the type that it is cast to, and whether it is a value of this type. */
export function writtenAs(column: Column): Pick<Comparison, 'cast' | 'takes'> {
  const { type, base } = column
  const form = writtenForms[base]
  if (form) return { cast: type, takes: (text) => form.test(text) }
  const { takes } = comparisonOf(column)
  const length = /^character(?: varying)?\((\d+)\)$/.exec(type)?.[1]
  if (length === undefined) return { cast: type, takes }
  // A cast would cut a longer text without a word.
  return { cast: type, takes: (text) => takes(text) && [...text].length <= Number(length) }
}
