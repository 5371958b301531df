import { type LeftOut, ToolError } from '@/lib/protocol/tool'
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
import {
  countBytes,
  cutValue,
  fetchShown,
  mostCharacters,
  mostLooked,
  type Rows,
  readCharacters,
  redactedValue,
  rowsLeftOut,
  statementOf,
  type Tally,
  typesOf,
  valuesLeftOut,
} from './read-rows'
import { isTooSlow } from './source-problem'
import type { Ask } from './transactions'

const searchedCharacters = 10_000

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
  const conditions = conditionsOf(table)
  const pattern = anyCase(text)
  const isKey = wholeKey(conditions, table, text)
  const found = [...containing(conditions, table, pattern), ...(isKey === null ? [] : [isKey])]
  if (found.length === 0) {
    throw new ToolError(
      'no-text',
      'No open column of this table has text. Use read_records with filters.',
    )
  }
  conditions.predicates.push(`(${found.join(' OR ')})`)
  const most = searchedCharacters + readCharacters
  const sides = [
    ...table.columns.map((column) => shownSide(column, most)),
    isKey ?? 'false',
    ...openKey(table).map((column) => shownSide(column, readCharacters)),
  ]
  const matches = new RegExp(pattern, 'u')
  const count = table.columns.length
  const isShown = (row: (string | null)[]) => {
    const values = row.slice(0, count)
    const [key, ...keyTexts] = row.slice(count)
    const hasText = table.columns.some(
      (each, at) => isText(each) && matches.test(searchedValue(values[at] ?? null) ?? ''),
    )
    return hasText || (key === 'true' && !keyTexts.some(isHidden))
  }
  const statement = statementOf(table, sides, conditions)
  const query = { statement, conditions, wanted: limit + 1, isShown }
  const { rows: candidates, stopped } = await fetchShown(ask, query)
  const rows = candidates.slice(0, limit)
  const tally = { redacted: 0, cut: 0, bytes: countBytes(table.columns, rows) }
  const shown = rows.map((row) =>
    row.slice(0, count).map((value) => around(searchedValue(value, tally), matches, tally)),
  )
  const hasMore = candidates.length > limit
  const facts = hasMore ? null : await sizesOf(ask, table)
  return {
    columns: table.columns.map(({ name }) => name),
    rows: shown,
    next: null,
    ordered: typesOf(openKey(table)),
    compared: {},
    leftOut: [
      ...(hasMore
        ? [{ what: `rows after the first ${limit}`, why: 'the limit of this call' }]
        : []),
      ...(facts?.isLarge ? [unlooked] : []),
      ...(stopped !== null && !facts?.isLarge ? [stoppedEntry(rows.length, stopped)] : []),
      ...(facts?.hasLong ? [ends] : []),
      // It is said of every search: an entry that depends on the hidden parts would give them away.
      { what: 'what stands as [redacted]', why: 'hidden parts of values are not searched' },
      ...valuesLeftOut(tally),
      ...rowsLeftOut(opened),
    ],
  }
}

const ends = {
  what: `text after the first ${searchedCharacters.toLocaleString('en-US')} characters of a value`,
  why: 'only the beginning of a value is searched',
}

/** It is said of every search of a table with so many rows: that one was stopped by them gives away what is in their hidden parts. */
const unlooked = {
  what: `rows behind the first ${mostLooked.toLocaleString('en-US')} that have this text in hidden parts alone, if there are any`,
  why: 'a search looks no further; read_records with filters does',
}

function stoppedEntry(found: number, stopped: string): LeftOut {
  const advice = 'search for a longer text, or use read_records with filters'
  return {
    what: found > 0 ? 'rows after the last one shown' : 'rows with this text, if there are any',
    why: `the search stopped after ${stopped}; ${advice}`,
  }
}

/**
 * Returns whether an open text column has a value that is longer than what is searched of it, and whether a table has more rows than
 * are looked at.
 */
async function sizesOf(
  ask: Ask,
  table: ReadableTable,
): Promise<{ hasLong: boolean; isLarge: boolean }> {
  const { from, predicates, values } = table
  const long = table.columns.filter(isText).map(({ name }) => {
    const side = `${quoted(name)}::text`
    // Bytes are counted without reading the value.
    return `(octet_length(${side}) > ${searchedCharacters} AND length(${side}) > ${searchedCharacters})`
  })
  const rowsWith = (more: string) =>
    `EXISTS (SELECT FROM ${from} WHERE ${[...predicates, more].join(' AND ')})`
  const large = `EXISTS (SELECT FROM ${from} WHERE ${[...predicates, 'true'].join(' AND ')} OFFSET ${mostLooked - 1})`
  const statement = `SELECT ${long.length === 0 ? 'false' : rowsWith(`(${long.join(' OR ')})`)}, ${large}`
  try {
    const [[hasLong, isLarge] = []] = await ask(statement, values)
    return { hasLong: hasLong === true, isLarge: isLarge === true }
  } catch (error) {
    if (isTooSlow(error)) return { hasLong: long.length > 0, isLarge: true }
    throw error
  }
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

function containing(conditions: Conditions, { columns }: ReadableTable, pattern: string): string[] {
  const texts = columns.filter(isText)
  if (texts.length === 0) return []
  const place = placeFor(conditions, pattern, 'text')
  return texts.map(
    (column) => `${shownSide(column, searchedCharacters)} COLLATE pg_catalog."C" ~ ${place}`,
  )
}

/** Returns the condition that a text is the whole key; null = it cannot be. */
function wholeKey(conditions: Conditions, table: ReadableTable, text: string): string | null {
  const [only, ...others] = openKey(table)
  if (only === undefined || others.length > 0) return null
  const comparison = comparisonOf(only)
  if (comparison === null || !comparison.takes(text)) return null
  return `${quoted(only.name)} ${operatorOf(only, '=')} ${placeFor(conditions, text, comparison.cast)}`
}

/** Returns what is searched of a value. The end of a cut one could be half of a secret, which does not look like one. */
function searchedValue(value: string | null, tally?: Tally): string | null {
  const redacted = redactedValue(value, tally)
  const isCut =
    value !== null &&
    value.length >= searchedCharacters + readCharacters &&
    Array.from(value).length >= searchedCharacters + readCharacters
  const searched = redacted?.slice(0, isCut ? -readCharacters : undefined) ?? null
  // The database counts characters, of which some are two units here.
  return searched !== null && searched.length > searchedCharacters
    ? Array.from(searched).slice(0, searchedCharacters).join('')
    : searched
}

/** Returns a value, or of a long one the part in which the text is. */
function around(value: string | null, matches: RegExp, tally: Tally): string | null {
  const start = value === null ? -1 : value.search(matches) - 100
  if (value === null || start <= 0 || value.length <= mostCharacters) return cutValue(value, tally)
  const part = value.slice(start)
  if (part.length <= mostCharacters) tally.cut += 1
  return `[cut] …${cutValue(part, tally)}`
}
