import { ToolError } from '@/lib/protocol/tool'
import { isText, quoted, shownSide } from './columns'
import { comparisonOf, isStorable, operatorOf } from './comparison'
import {
  type Conditions,
  conditionsOf,
  findReadable,
  isHidden,
  type OpenTable,
  openKey,
  placeFor,
  type ReadableTable,
} from './open-table'
import type { Ask } from './read-only'
import {
  cutValue,
  type Rows,
  readCharacters,
  redactedValue,
  statementOf,
  textRows,
  typesOf,
} from './read-rows'

const searchedCharacters = 10_000
/** After so many rows in which a text is only in hidden parts, a search gives up. */
const mostLooked = 1_000

/**
 * Returns the rows in which a text is found: anywhere in an open text column, in any letter case, or as the whole key. What is hidden
 * of a value is not found either, and changes nothing of the answer, so that nobody can guess it letter by letter. Throws ToolError.
 */
export async function searchRows(
  ask: Ask,
  opened: OpenTable,
  { text, limit }: { text: string; limit: number },
): Promise<Rows> {
  if (isHidden(text)) {
    throw new ToolError(
      'column-hidden',
      'This text looks like a secret. Secrets are hidden in every column, and are not searched.',
    )
  }
  if (!isStorable(text)) throw new ToolError('wrong-value', 'No value can have this text.')
  const table = await findReadable(ask, opened)
  const asked = conditionsOf(table)
  const pattern = anyCase(text)
  const isKey = wholeKey(asked, table, text)
  const found = [...containing(asked, table, pattern), ...(isKey === null ? [] : [isKey])]
  if (found.length === 0) {
    throw new ToolError(
      'no-text',
      'No open column of this table has text. Use read_records with filters.',
    )
  }
  asked.conditions.push(`(${found.join(' OR ')})`)
  const most = searchedCharacters + readCharacters
  const sides = [
    ...table.columns.map((column) => shownSide(column, most)),
    isKey ?? 'false',
    ...openKey(table).map((column) => shownSide(column, readCharacters)),
  ]
  await ask(`DECLARE toolgate_found CURSOR FOR ${statementOf(table, sides, asked)}`, asked.values)
  const matches = new RegExp(pattern, 'u')
  const count = table.columns.length
  const rows = await fetchShown(ask, limit + 1, (row) => {
    const redacted = row.slice(0, count).map(searchedValue)
    const [key, ...keyTexts] = row.slice(count)
    const hasText = table.columns.some(
      (each, at) => isText(each) && matches.test(redacted[at] ?? ''),
    )
    const isFound = hasText || (key === 'true' && !keyTexts.some(isHidden))
    return isFound ? redacted.map((value) => around(value, matches)) : null
  })
  return {
    columns: table.columns.map(({ name }) => name),
    rows: rows.slice(0, limit),
    more: rows.length > limit,
    next: null,
    ...{ ordered: typesOf(openKey(table)), compared: {} },
  }
}

/** Returns as many rows as are wanted of those that `shown` does not leave out, however many it does. Throws ToolError. */
async function fetchShown(
  ask: Ask,
  wanted: number,
  shown: (row: (string | null)[]) => (string | null)[] | null,
): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  const batch = Math.max(wanted, 20)
  for (let looked = 0; looked < mostLooked; looked += batch) {
    const read = textRows(await ask(`FETCH ${batch} FROM toolgate_found`))
    for (const row of read) {
      const kept = shown(row)
      if (kept) rows.push(kept)
    }
    if (rows.length >= wanted || read.length < batch) return rows
  }
  throw new ToolError(
    'too-much',
    'Too much of this table is hidden to search it for this text. Use read_records with filters.',
  )
}

/**
 * Returns a regular expression, for PostgreSQL and JavaScript alike, for a text in any letter case: each letter by its cases, because
 * many databases know those of ASCII alone.
 */
function anyCase(text: string): string {
  return [...text].map(inAnyCase).join('')
}

function inAnyCase(character: string): string {
  const cases = new Set([character])
  // A set goes on with what is added to it. Of ASCII, the cases are ASCII, which every database can write.
  for (const each of cases) {
    for (const other of [each.toLowerCase(), each.toUpperCase(), each === 'σ' ? 'ς' : each]) {
      if ([...other].length === 1) cases.add(other)
    }
  }
  if (cases.size > 1) return `[${[...cases].join('')}]`
  return character.replace(/[$()*+.?[\\\]^{|}]/, '\\$&')
}

function containing(asked: Conditions, { columns }: ReadableTable, pattern: string): string[] {
  const texts = columns.filter(isText)
  if (texts.length === 0) return []
  const place = placeFor(asked, pattern, 'text')
  return texts.map(
    (column) => `${shownSide(column, searchedCharacters)} COLLATE pg_catalog."C" ~ ${place}`,
  )
}

/** Returns the condition that a text is the whole key; null = it cannot be. */
function wholeKey(asked: Conditions, table: ReadableTable, text: string): string | null {
  const [only, ...others] = openKey(table)
  if (only === undefined || others.length > 0) return null
  const comparison = comparisonOf(only)
  if (comparison === null || !comparison.takes(text)) return null
  return `${quoted(only.name)} ${operatorOf(only, '=')} ${placeFor(asked, text, comparison.cast)}`
}

/** Returns what is searched of a value. The end of a cut one could be half of a secret, which does not look like one. */
function searchedValue(value: string | null): string | null {
  const redacted = redactedValue(value)
  const isCut = value !== null && value.length >= searchedCharacters + readCharacters
  return (
    redacted?.slice(0, isCut ? -readCharacters : undefined).slice(0, searchedCharacters) ?? null
  )
}

/** Returns a value, or of a long one the part in which the text is. */
function around(value: string | null, matches: RegExp): string | null {
  const start = value === null ? -1 : value.search(matches) - 100
  if (value === null || start <= 0 || cutValue(value) === value) return cutValue(value)
  return `[cut] …${cutValue(value.slice(start))}`
}
