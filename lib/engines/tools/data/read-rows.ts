import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
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
import type { Ask } from './transactions'

/** Maximum characters of a value that are shown. */
export const mostCharacters = 300
/** Stands at the end of a value that was cut. */
export const cutMark = '… [cut]'
/**
 * Maximum characters of a value that are read: more than are shown, so that a cut never leaves half of a secret
 * visible.
 */
export const readCharacters = 2_000

/**
 * Rows as text, by the order of `columns`; null = empty. `next`: the cursor of the last row, where one can go on; null = there is no
 * more, or the rows have no key that is open. `ordered` and `compared`: the types of the columns by which rows are ordered and were found.
 */
export type Rows = {
  columns: string[]
  rows: (string | null)[][]
  next: string | null
  ordered: Record<string, string>
  compared: Record<string, string>
  leftOut: LeftOut[]
}

/** Counts of values of a result that are hidden in part, were cut, or are bytes. */
export type Tally = { redacted: number; cut: number; bytes: number }

/** Returns what a result does not have of its values. */
export function valuesLeftOut({ redacted, cut, bytes }: Partial<Tally>): LeftOut[] {
  const entry = (count: number | undefined, what: (values: string) => string, why: string) =>
    count ? [{ what: what(countOf(count, 'value')), why }] : []
  return [
    ...entry(redacted, (values) => `parts of ${values}`, 'they look like secrets'),
    ...entry(
      cut,
      (values) => `all but ${mostCharacters} characters of ${values}`,
      'the limit of a value',
    ),
    ...entry(bytes, (values) => `the bytes of ${values}`, 'only their number is shown'),
  ]
}

/** Returns which rows of a table nobody, or not this person, is ever told. How many there are is not found out. */
export function rowsLeftOut({ deletedColumn, owner }: OpenTable): LeftOut[] {
  return [
    ...(deletedColumn === null
      ? []
      : [{ what: 'rows that are marked as deleted', why: 'they are never read' }]),
    ...(owner === null
      ? []
      : [{ what: 'rows of other people', why: 'only your own are open to you' }]),
  ]
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
  const conditions = conditionsOf(table)
  const filtered = query.filters.map(({ column, value }) => {
    const found = requireShown(table, column)
    addEqual(conditions, found, value)
    return found
  })
  const key = openKey(table)
  const order = { opened, key }
  if (query.after !== null) {
    if (key.length === 0) throw noOpenKey()
    addAfter(conditions, key, openCursor(query.sign, order, query.after))
  }
  const [own, all] = [columns.length, columns.length + key.length]
  const sides = [...columns, ...key, ...filtered].map((column) => shownSide(column, readCharacters))
  // One more than is wanted says whether there are more.
  const statement = statementOf(table, sides, conditions)
  const wanted = query.limit + 1
  const first = textRows(await askWith(ask, `${statement} LIMIT ${wanted}`, conditions))
  // A hidden value can be equal to another text, in letters of another case for example. It is not found by that either.
  const isShown = (row: (string | null)[]) => !row.slice(all).some(isHidden)
  const { rows, stopped } = first.every(isShown)
    ? { rows: first, stopped: null }
    : await fetchShown(ask, { statement, conditions, wanted, isShown })
  const shown = rows.slice(0, query.limit)
  const more = rows.length > query.limit
  const last = shown.at(-1)?.slice(own, all)
  const next = more && last ? nextOf(query.sign, order, last) : null
  const tally = { redacted: 0, cut: 0, bytes: countBytes(columns, shown) }
  return {
    columns: columns.map(({ name }) => name),
    rows: shown.map((row) => row.slice(0, own).map((value) => shownValue(value, tally))),
    next,
    ordered: typesOf(key),
    compared: typesOf(conditions.compared),
    leftOut: [
      ...(more ? [{ what: `rows after the first ${query.limit}`, why: limitWords(next) }] : []),
      ...(stopped === null
        ? []
        : [
            { what: 'further rows, if there are any', why: `the reading stopped after ${stopped}` },
          ]),
      ...valuesLeftOut(tally),
      ...rowsLeftOut(opened),
    ],
  }
}

/** A search stops after so many rows that are found, most of which are so by hidden parts alone, or after this time. */
export const mostLooked = 20_000
const longestMs = 10_000
const batch = 200

type Fetched = {
  statement: string
  conditions: Conditions
  wanted: number
  isShown: (row: (string | null)[]) => boolean
}

/** Returns as many rows as are wanted of those that are shown, and after how much it stopped before; null = it did not. */
export async function fetchShown(
  ask: Ask,
  { statement, conditions, wanted, isShown }: Fetched,
): Promise<{ rows: (string | null)[][]; stopped: string | null }> {
  await askWith(ask, `DECLARE toolgate_found CURSOR FOR ${statement}`, conditions)
  const rows: (string | null)[][] = []
  const end = performance.now() + longestMs
  for (let looked = 0; looked < mostLooked; looked += batch) {
    if (performance.now() > end) return { rows, stopped: `${longestMs / 1000} seconds` }
    const read = textRows(
      await askWith(ask, `FETCH ${batch} FROM toolgate_found`, { ...conditions, values: [] }),
    )
    for (const row of read) {
      if (rows.length < wanted && isShown(row)) rows.push(row)
    }
    if (rows.length >= wanted || read.length < batch) return { rows, stopped: null }
  }
  return { rows, stopped: `${mostLooked.toLocaleString('en-US')} rows` }
}

function limitWords(next: string | null): string {
  return next === null
    ? 'the limit of this call; their key is not shown, so use filters'
    : 'the limit of this call; give "next" as "after" to go on'
}

/** Returns how many values of rows are bytes. */
export function countBytes(columns: readonly Column[], rows: (string | null)[][]): number {
  return rows.reduce(
    (sum, row) =>
      sum +
      columns.filter(({ base }, at) => base === 'bytea' && typeof row[at] === 'string').length,
    0,
  )
}

/** Returns the types of columns by their names. */
export function typesOf(columns: readonly Column[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column.name, typeWords(column)]))
}

/** Adds the condition for rows that come after this key. It has one side where the database can: so it goes through the index. */
function addAfter(conditions: Conditions, key: Column[], after: readonly string[]): void {
  if (after.length !== key.length) throw wrongCursor()
  const sides = key.map(({ name }) => quoted(name))
  const places = key.map((column, at) => placeFor(conditions, after[at] ?? '', ownCast(column)))
  if (key.every(isOfSystem)) {
    conditions.predicates.push(`(${sides.join(', ')}) > (${places.join(', ')})`)
    return
  }
  const steps = key.map((column, at) => {
    const same = key.slice(0, at).map((each, index) => compare(each, '=', places[index]))
    return [...same, compare(column, '>', places[at])].join(' AND ')
  })
  conditions.predicates.push(`(${steps.join(' OR ')})`)
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
  { predicates }: Conditions,
): string {
  const where = predicates.length === 0 ? '' : `WHERE ${predicates.join(' AND ')}`
  const order = openKey(table)
    .map(({ name }) => quoted(name))
    .join(', ')
  const ordered = order === '' ? '' : `ORDER BY ${order}`
  return `SELECT ${sides.join(', ')} FROM ${table.from} ${where} ${ordered}`
}

function textRows(rows: unknown[][]): (string | null)[][] {
  return rows.map((row) => row.map((value) => (value === null ? null : cleanText(String(value)))))
}

/** Returns a value without what looks like a secret. */
export function redactedValue(value: string | null, tally?: Tally): string | null {
  const redacted = value === null ? null : redactText(value)
  if (tally && redacted !== value) tally.redacted += 1
  return redacted
}

/** Returns a value as the model is told it: without what looks like a secret, and not longer than one may be. */
export function shownValue(value: string | null, tally?: Tally): string | null {
  return cutValue(redactedValue(value, tally), tally)
}

/** Returns a value that is not longer than one may be. */
export function cutValue(value: string | null, tally?: Tally): string | null {
  if (value === null || value.length <= mostCharacters) return value
  if (tally) tally.cut += 1
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
