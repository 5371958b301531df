import { redactText } from '@/lib/kernel/redaction/redact-text'
import { cleanText } from '@/lib/protocol/clean-text'
import { ToolError } from '@/lib/protocol/tool'
import { type Column, comparisonOf, isText, shownSide } from './columns'
import { cursorOf, openCursor, type Sign, wrongCursor } from './cursor'
import {
  type Conditions,
  conditionsOf,
  type Filter,
  findReadable,
  isHidden,
  type OpenTable,
  openKey,
  placeFor,
  type ReadableTable,
  requireColumn,
  requireFitting,
  requireShown,
} from './open-table'
import type { Ask } from './read-only'

/** How many characters of a value are shown. */
export const mostCharacters = 300
/** Stands at the end of a value that was cut. */
export const cutMark = '… [cut]'
/** What is read of a value, so that a cut never leaves half of a secret visible. */
const readCharacters = 2_000
const searchedCharacters = 10_000
/** After so many rows in which a text is only in hidden parts, a search gives up. */
const mostLooked = 1_000

/**
 * Rows as text, by the order of `columns`; null = empty. `more`: there are further rows. `next`: the cursor of the last row, where
 * one can go on; null = there is no more, or the rows have no key that is open.
 */
export type Rows = {
  columns: string[]
  rows: (string | null)[][]
  more: boolean
  next: string | null
}

export type RowQuery = {
  filters: readonly Filter[]
  /** Null = all that are open. */
  columns: readonly string[] | null
  limit: number
  /** The cursor of the row after which one goes on; null = from the first one. */
  after: string | null
  sign: Sign
}

/** Reads rows of an opened table in the order of its key. Throws ToolError. */
export async function readRows(ask: Ask, opened: OpenTable, query: RowQuery): Promise<Rows> {
  const table = await findReadable(ask, opened)
  const columns = query.columns?.map((name) => requireColumn(table, name)) ?? table.columns
  const asked = conditionsOf(table)
  for (const filter of query.filters) asked.conditions.push(equals(asked, table, filter))
  const key = openKey(table)
  if (query.after !== null) {
    if (key.length === 0) throw noOpenKey()
    asked.conditions.push(isAfter(asked, key, openCursor(query.sign, opened, query.after)))
  }
  const sides = [...columns.map((column) => shownSide(column, readCharacters)), ...textsOf(key)]
  // One more than is wanted says whether there are more.
  const statement = `${statementOf(table, sides, asked)} LIMIT ${query.limit + 1}`
  const found = await ask(statement, asked.values)
  const rows = textRows(found)
  const shown = rows.slice(0, query.limit)
  const more = rows.length > query.limit
  const last = shown.at(-1)?.slice(columns.length)
  return {
    columns: columns.map(({ name }) => name),
    rows: shown.map((row) => row.slice(0, columns.length).map(shownValue)),
    more,
    next: more && last ? nextOf(query.sign, opened, last) : null,
  }
}

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
  const table = await findReadable(ask, opened)
  const asked = conditionsOf(table)
  const found = [...containing(asked, table, text), ...wholeKey(asked, openKey(table), text)]
  if (found.length === 0) {
    throw new ToolError(
      'no-text',
      'No open column of this table has text. Use read_records with filters.',
    )
  }
  asked.conditions.push(`(${found.join(' OR ')})`)
  const most = searchedCharacters + readCharacters
  const sides = table.columns.map((column) => shownSide(column, most))
  await ask(`DECLARE toolgate_found CURSOR FOR ${statementOf(table, sides, asked)}`, asked.values)
  const rows = await fetchShown(ask, limit + 1, (row) => {
    const redacted = row.map(searchedValue)
    return hasText(table, redacted, text) ? redacted.map((value) => around(value, text)) : null
  })
  return {
    columns: table.columns.map(({ name }) => name),
    rows: rows.slice(0, limit),
    more: rows.length > limit,
    next: null,
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

function containing(asked: Conditions, { columns }: ReadableTable, text: string): string[] {
  const texts = columns.filter(isText)
  if (texts.length === 0) return []
  const pattern = placeFor(asked, `%${text.replace(/[\\%_]/g, '\\$&')}%`, 'text')
  return texts.map((column) => `${shownSide(column, searchedCharacters)} ILIKE ${pattern}`)
}

function equals(asked: Conditions, table: ReadableTable, { column: name, value }: Filter): string {
  const column = requireShown(table, name)
  if (value === null) return `${comparisonOf(column).side} IS NULL`
  const { side, cast } = requireFitting(column, value)
  return `${side} = ${placeFor(asked, value, cast)}`
}

function isAfter(asked: Conditions, key: Column[], after: readonly string[]): string {
  if (after.length !== key.length) throw wrongCursor()
  const parts = key.map((column, index) => {
    const value = after[index] ?? ''
    const { side, cast } = requireFitting(column, value)
    return [side, placeFor(asked, value, cast)]
  })
  return `(${parts.map(([side]) => side).join(', ')}) > (${parts.map(([, value]) => value).join(', ')})`
}

function noOpenKey(): ToolError {
  return new ToolError(
    'no-key',
    'Rows of this table have no key that is open, so "after" cannot be used. Use filters.',
  )
}

function wholeKey(asked: Conditions, key: Column[], text: string): string[] {
  const [only] = key
  if (key.length !== 1 || only === undefined || !comparisonOf(only).takes(text)) return []
  const { side, cast } = comparisonOf(only)
  return [`${side} = ${placeFor(asked, text, cast)}`]
}

/** Returns the statement that reads rows, in the order of a key that is open. */
function statementOf(
  table: ReadableTable,
  sides: readonly string[],
  { conditions }: Conditions,
): string {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = openKey(table)
    .map((column) => comparisonOf(column).side)
    .join(', ')
  const ordered = order === '' ? '' : `ORDER BY ${order}`
  return `SELECT ${sides.join(', ')} FROM ${table.from} ${where} ${ordered}`
}

function textsOf(key: Column[]): string[] {
  return key.map((column) => shownSide(column, readCharacters))
}

function textRows(rows: unknown[][]): (string | null)[][] {
  return rows.map((row) => row.map((value) => (value === null ? null : cleanText(String(value)))))
}

function redactedValue(value: string | null): string | null {
  return value === null ? null : redactText(value)
}

/** Returns what is searched of a value. The end of a cut one could be half of a secret, which does not look like one. */
function searchedValue(value: string | null): string | null {
  const redacted = redactedValue(value)
  const isCut = value !== null && value.length >= searchedCharacters + readCharacters
  return (
    redacted?.slice(0, isCut ? -readCharacters : undefined).slice(0, searchedCharacters) ?? null
  )
}

/** Returns a value as the model is told it: without what looks like a secret, and not longer than one may be. */
export function shownValue(value: string | null): string | null {
  return cutValue(redactedValue(value))
}

function cutValue(value: string | null): string | null {
  if (value === null || value.length <= mostCharacters) return value
  return `${value.slice(0, mostCharacters).toWellFormed()}${cutMark}`
}

/** Returns a value, or of a long one the part in which the text is. */
function around(value: string | null, text: string): string | null {
  if (value === null || value.length <= mostCharacters) return value
  const at = value.toLowerCase().indexOf(text.toLowerCase())
  const start = Math.max(0, at - 100)
  if (at === -1 || start === 0) return cutValue(value)
  return `[cut] …${cutValue(value.slice(start))}`
}

function hasText(table: ReadableTable, row: (string | null)[], text: string): boolean {
  const wanted = text.toLowerCase()
  const isKey = (column: Column) => openKey(table).includes(column)
  return table.columns.some((column, index) => {
    const value = row[index]?.toLowerCase()
    if (value === undefined) return false
    return (isText(column) && value.includes(wanted)) || (isKey(column) && value === wanted)
  })
}

/** Returns where one goes on; null = a part of the key is hidden, or is too long. */
function nextOf(sign: Sign, opened: OpenTable, key: (string | null)[]): string | null {
  const values = key.filter((value) => value !== null)
  const isShown = values.every((value) => !isHidden(value) && value.length < readCharacters)
  const isWhole = values.length > 0 && values.length === key.length
  return isWhole && isShown ? cursorOf(sign, opened, values) : null
}
