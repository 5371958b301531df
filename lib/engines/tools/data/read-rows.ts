import { redactText } from '@/lib/kernel/redaction/redact-text'
import { cleanText } from '@/lib/protocol/clean-text'
import { ToolError } from '@/lib/protocol/tool'
import { type Column, quoted, shownSide } from './columns'
import { isOfSystem, operatorOf, ownCast, typeWords } from './comparison'
import { cursorOf, openCursor, type Sign, wrongCursor } from './cursor'
import {
  addEqual,
  askWith,
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
  requireShown,
} from './open-table'
import type { Ask } from './read-only'

/** How many characters of a value are shown. */
export const mostCharacters = 300
/** Stands at the end of a value that was cut. */
export const cutMark = '… [cut]'
/** What is read of a value, so that a cut never leaves half of a secret visible. */
export const readCharacters = 2_000

/**
 * Rows as text, by the order of `columns`; null = empty. `more`: there are further rows. `next`: the cursor of the last row, where
 * one can go on; null = there is no more, or the rows have no key that is open. `ordered` and `compared`: the types of the columns by
 * which rows are ordered and were found.
 */
export type Rows = {
  columns: string[]
  rows: (string | null)[][]
  more: boolean
  next: string | null
  ordered: Record<string, string>
  compared: Record<string, string>
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
  const filtered = query.filters.map(({ column, value }) => {
    const found = requireShown(table, column)
    addEqual(asked, found, value)
    return found
  })
  const key = openKey(table)
  const order = { opened, key }
  if (query.after !== null) {
    if (key.length === 0) throw noOpenKey()
    addAfter(asked, key, openCursor(query.sign, order, query.after))
  }
  const [own, all] = [columns.length, columns.length + key.length]
  const sides = [...columns, ...key, ...filtered].map((column) => shownSide(column, readCharacters))
  // One more than is wanted says whether there are more.
  const statement = `${statementOf(table, sides, asked)} LIMIT ${query.limit + 1}`
  const rows = textRows(await askWith(ask, statement, asked))
    // A hidden value can be equal to another text, in letters of another case for example. It is not found by that either.
    .filter((row) => !row.slice(all).some(isHidden))
  const shown = rows.slice(0, query.limit)
  const more = rows.length > query.limit
  const last = shown.at(-1)?.slice(own, all)
  return {
    columns: columns.map(({ name }) => name),
    rows: shown.map((row) => row.slice(0, own).map(shownValue)),
    more,
    next: more && last ? nextOf(query.sign, order, last) : null,
    ...{ ordered: typesOf(key), compared: typesOf(asked.compared) },
  }
}

/** Returns the types of columns by their names. */
export function typesOf(columns: readonly Column[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column.name, typeWords(column)]))
}

/** Adds the condition for rows that come after this key. It has one side where the database can: so it goes through the index. */
function addAfter(asked: Conditions, key: Column[], after: readonly string[]): void {
  if (after.length !== key.length) throw wrongCursor()
  const sides = key.map(({ name }) => quoted(name))
  const places = key.map((column, at) => placeFor(asked, after[at] ?? '', ownCast(column)))
  if (key.every(isOfSystem)) {
    asked.conditions.push(`(${sides.join(', ')}) > (${places.join(', ')})`)
    return
  }
  const steps = key.map((column, at) => {
    const same = key.slice(0, at).map((each, index) => compare(each, '=', places[index]))
    return [...same, compare(column, '>', places[at])].join(' AND ')
  })
  asked.conditions.push(`(${steps.join(' OR ')})`)
}

function compare(column: Column, operator: '=' | '>', place = ''): string {
  return `${quoted(column.name)} ${operatorOf(column, operator)} ${place}`
}

function noOpenKey(): ToolError {
  return new ToolError(
    'no-key',
    'Rows of this table have no key that is open, so "after" cannot be used. Use filters.',
  )
}

/** Returns the statement that reads rows, in the order of a key that is open. */
export function statementOf(
  table: ReadableTable,
  sides: readonly string[],
  { conditions }: Conditions,
): string {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = openKey(table)
    .map(({ name }) => quoted(name))
    .join(', ')
  const ordered = order === '' ? '' : `ORDER BY ${order}`
  return `SELECT ${sides.join(', ')} FROM ${table.from} ${where} ${ordered}`
}

export function textRows(rows: unknown[][]): (string | null)[][] {
  return rows.map((row) => row.map((value) => (value === null ? null : cleanText(String(value)))))
}

export function redactedValue(value: string | null): string | null {
  return value === null ? null : redactText(value)
}

/** Returns a value as the model is told it: without what looks like a secret, and not longer than one may be. */
export function shownValue(value: string | null): string | null {
  return cutValue(redactedValue(value))
}

export function cutValue(value: string | null): string | null {
  if (value === null || value.length <= mostCharacters) return value
  return `${value.slice(0, mostCharacters).toWellFormed()}${cutMark}`
}

/** Returns where one goes on; null = a part of the key is hidden, or is too long. */
function nextOf(
  sign: Sign,
  order: Parameters<typeof cursorOf>[1],
  key: (string | null)[],
): string | null {
  const values = key.filter((value) => value !== null)
  const isShown = values.every((value) => !isHidden(value) && value.length < readCharacters)
  const isWhole = values.length > 0 && values.length === key.length
  return isWhole && isShown ? cursorOf(sign, order, values) : null
}
