import { ToolError } from '@/lib/protocol/tool'
import { type Column, quoted, shownSide } from './columns'
import { requireRow, selectOf, textsIn, type Values } from './one-row'
import {
  addEqual,
  askWith,
  conditionsOf,
  findReadable,
  type OpenTable,
  openKey,
  type ReadableTable,
} from './open-table'
import type { Ask } from './transactions'

/** A table that says what happened to the records of another one: which of its columns have the key of a record, when, who and what. */
export type HistoryTable = {
  table: OpenTable
  keyColumn: string
  atColumn: string
  whoColumn: string | null
  kindColumn: string | null
}

/** One change, as a model gets it. `columns`: those that are open, with what the history has in them. `closed`: others that changed. */
export type HistoryRow = {
  at: string | null
  who: string | null
  kind: string | null
  columns: Record<string, string | null>
  closed: string[]
}

const readCharacters = 2_000

/** Returns the key of a record that can be read, where it is one column. Throws ToolError, also for a record that cannot. */
export async function findRecord(ask: Ask, opened: OpenTable, key: Values): Promise<string> {
  const [only, ...others] = await requireRow(ask, await findReadable(ask, opened), key)
  if (typeof only === 'string' && others.length === 0) return only
  throw new ToolError('no-history', 'Only records with a key of one column have a history.')
}

/** Returns what a table says of a record, newest first, and whether it says more. Throws ToolError. */
export async function readHistory(
  ask: Ask,
  { table: opened, ...named }: HistoryTable,
  { key, limit }: { key: string; limit: number },
): Promise<{ rows: HistoryRow[]; more: boolean }> {
  const table = await findReadable(ask, opened)
  const at = columnOf(table, named.atColumn)
  const who = named.whoColumn === null ? null : columnOf(table, named.whoColumn)
  const kind = named.kindColumn === null ? null : columnOf(table, named.kindColumn)
  const conditions = conditionsOf(table)
  const record = columnOf(table, named.keyColumn)
  addEqual(conditions, record, key)
  const rest = table.columns.filter((column) => ![record, at, who, kind].includes(column))
  const open = table.columns.map((column) => shownSide(column, readCharacters))
  const sides = [...open, ...table.closed.map(changedSide)]
  const order = [at, ...openKey(table)].map(({ name }) => quoted(name))
  const [oldest, newest] = ['ASC NULLS FIRST', 'DESC NULLS LAST'].map((direction) =>
    order.map((side) => `${side} ${direction}`).join(', '),
  )
  const statement = `${selectOf(table, sides, conditions)} WINDOW by_time AS (ORDER BY ${oldest}) ORDER BY ${newest} LIMIT ${limit + 1}`
  const found = await askWith(ask, statement, conditions)
  const rows = found.slice(0, limit).map((row) => {
    const texts = textsIn(row, table.columns.length)
    const textOf = (column: Column | null) =>
      column === null ? null : (texts[table.columns.indexOf(column)] ?? null)
    const columns = Object.fromEntries(rest.map((column) => [column.name, textOf(column)]))
    const closed = table.closed.filter((_, index) => row[table.columns.length + index] === true)
    const named = { at: textOf(at), who: textOf(who), kind: textOf(kind) }
    return { ...named, columns, closed: closed.map(({ name }) => name) }
  })
  return { rows, more: found.length > limit }
}

/** Returns whether a closed column has another value than in the change before. */
function changedSide({ name }: Column): string {
  const side = `${quoted(name)}::text`
  return `${side} IS DISTINCT FROM lag(${side}) OVER by_time`
}

function columnOf({ columns }: ReadableTable, name: string): Column {
  const found = columns.find((column) => column.name === name)
  if (found) return found
  throw new ToolError(
    'changed',
    'The table of the history no longer has the columns that were named for it. An admin can name them again, where the table is opened.',
  )
}
