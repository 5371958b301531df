import { ToolError } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { type Column, shownSide } from './columns'
import {
  addEqual,
  askWith,
  type Conditions,
  conditionsOf,
  isHidden,
  openKey,
  type ReadableTable,
} from './open-table'
import type { Ask } from './transactions'

/** Columns by their names with values as text; null = empty. */
export type Values = Readonly<Record<string, string | null>>

/** Maximum characters of a key that are read. */
export const keyCharacters = 2_000

/** Returns the key of a table, all of which is open. Throws ToolError. */
export function requireKey(table: ReadableTable): Column[] {
  const key = openKey(table)
  if (key.length > 0) return key
  throw new ToolError('no-key', 'Rows of this table have no key that is open.')
}

/** Returns the conditions for the one row with this key. Throws ToolError. */
export async function rowOf(ask: Ask, table: ReadableTable, given: Values): Promise<Conditions> {
  return (await lookUp(ask, table, given)).conditions
}

/**
 * Returns the conditions for the one row with this key, and the key as the database writes it. Throws ToolError. A row whose key is
 * hidden is not found by another text that is equal in the type of the key.
 */
async function lookUp(
  ask: Ask,
  table: ReadableTable,
  given: Values,
): Promise<{ conditions: Conditions; keys: (string | null)[][] }> {
  const key = requireKey(table)
  const names = key.map(({ name }) => name)
  const isWhole = Object.keys(given).every((name) => names.includes(name))
  const conditions = conditionsOf(table)
  for (const column of key) {
    const value = Object.hasOwn(given, column.name) ? given[column.name] : null
    if (value === null || value === undefined || !isWhole) {
      throw new ToolError('wrong-value', `"key" takes a value for each of: ${names.join(', ')}.`)
    }
    addEqual(conditions, column, value)
  }
  const sides = key.map((column) => shownSide(column, keyCharacters))
  const rows = await askWith(ask, selectOf(table, sides, conditions), conditions)
  const keys = rows.map((row) => textsIn(row, sides.length))
  if (keys.some((texts) => texts.some(isHidden))) throw noRow()
  return { conditions, keys }
}

/** Returns the statement that reads these sides of rows. */
export function selectOf(
  { from }: ReadableTable,
  sides: readonly string[],
  { predicates }: Conditions,
): string {
  return `SELECT ${sides.join(', ')} FROM ${from} WHERE ${predicates.join(' AND ')}`
}

/** Returns the values of a row as text. */
export function textsIn(row: readonly unknown[], count: number): (string | null)[] {
  return row.slice(0, count).map((value) => (value === null ? null : cleanText(String(value))))
}

/** Returns the key of the row that this key names, as the database writes it. Throws ToolError when there is none to be read. */
export async function requireRow(
  ask: Ask,
  table: ReadableTable,
  given: Values,
): Promise<(string | null)[]> {
  const [row] = (await lookUp(ask, table, given)).keys
  if (row) return row
  throw noRow()
}

/** Returns the refusal of a row that does not exist, or that the caller may not read. */
export function noRow(): ToolError {
  return new ToolError('not-found', 'Row not found or not permitted.')
}
