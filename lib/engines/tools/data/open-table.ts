import { redactText } from '@/lib/kernel/redaction/redact-text'
import { ToolError } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { type CatalogueTable, readTable } from './catalogue'
import { type Column, notDeleted, quoted } from './columns'
import { type Comparison, comparisonOf, operatorOf, typeWords } from './comparison'
import { isWrongValue } from './source-problem'
import type { Ask } from './transactions'

/**
 * A table as an admin opened it. `owner`: only rows where this column has this value are read; null = all. `deletedColumn`: rows
 * where it is set are not read.
 */
export type OpenTable = {
  schema: string
  name: string
  columns: readonly string[]
  key: readonly string[]
  deletedColumn: string | null
  /** Columns that a new row may set, and columns that may be changed. */
  insertColumns: readonly string[]
  updateColumns: readonly string[]
  owner: { column: string; holds: 'email' | 'userId'; value: string } | null
}

/** An opened table as the database has it now, for statements. */
export type ReadableTable = {
  from: string
  columns: Column[]
  /** The other columns, but for those that are its key or mark its deleted rows. Nothing of them may be told but that they changed. */
  closed: Column[]
  /** In the order of rows; empty = they have none. */
  key: Column[]
  /** Columns that a new row may set, and columns that may be changed. */
  written: { insert: Column[]; update: Column[] }
  /** The conditions of all statements, and the values of their parameters. */
  predicates: string[]
  values: string[]
}

/** Returns the refusal of a table that the database no longer has as it was opened. */
function changedSince(): ToolError {
  return new ToolError(
    'changed',
    'The table is no longer as it was when it was opened. An admin can open it again.',
  )
}

/** Returns an opened table as the database has it now. Columns that were dropped since are left out. Throws ToolError. */
export async function findReadable(ask: Ask, opened: OpenTable): Promise<ReadableTable> {
  return readableOf(await readTable(ask, opened), opened)
}

/** Returns an opened table for statements, from what the database says of it; null = nothing. Throws ToolError. */
export function readableOf(found: CatalogueTable | null, opened: OpenTable): ReadableTable {
  if (found === null) throw changedSince()
  const byName = new Map(found.columns.map((column) => [column.name, column]))
  const columns = opened.columns.flatMap((name) => byName.get(name) ?? [])
  const key = opened.key.flatMap((name) => byName.get(name) ?? [])
  // Without one of these, rows would be read that must not be.
  const mark = opened.deletedColumn === null ? null : byName.get(opened.deletedColumn)
  const owner = opened.owner === null ? null : byName.get(opened.owner.column)
  if (columns.length === 0 || mark === undefined || owner === undefined) throw changedSince()
  const predicates = mark === null ? [] : [notDeleted(mark)]
  const values: string[] = []
  if (opened.owner && owner) {
    values.push(opened.owner.value)
    predicates.push(isOwned(owner, opened.owner))
  }
  return {
    from: `${quoted(found.schema)}.${quoted(found.name)}`,
    columns,
    closed: found.columns.filter((column) => ![...columns, ...key, mark].includes(column)),
    key: key.length === opened.key.length ? key : [],
    written: {
      insert: writtenOf(columns, found, opened.insertColumns),
      update: writtenOf(columns, found, opened.updateColumns),
    },
    predicates,
    values,
  }
}

/** Returns the condition for rows of an owner, whose value is the first parameter. */
function isOwned(column: Column, { holds, value }: NonNullable<OpenTable['owner']>): string {
  const side = quoted(column.name)
  if (holds === 'email') return `lower(${side}::text) = lower($1)`
  return column.base === 'uuid' && comparisonOf(column)?.takes(value)
    ? `${side} = $1::uuid`
    : `${side}::text = $1`
}

/** Returns the open columns that may be written, of those that the database lets be written. */
function writtenOf(
  columns: readonly Column[],
  { writable }: CatalogueTable,
  names: readonly string[],
): Column[] {
  return columns.filter(({ name }) => names.includes(name) && writable.includes(name))
}

/** A condition of a call: a column by its name, and its value as text; null: the column is empty. */
export type Filter = { column: string; value: string | null }

/** The conditions of a statement that is being written, the values of their parameters, and the columns that are compared. */
export type Conditions = { predicates: string[]; values: (string | null)[]; compared: Column[] }

/** Returns the conditions of all statements about a table, to which those of one are added. */
export function conditionsOf({ predicates, values }: ReadableTable): Conditions {
  return { predicates: [...predicates], values: [...values], compared: [] }
}

/** Adds a value and returns its place in the statement. */
export function placeFor({ values }: Conditions, value: string | null, cast: string): string {
  values.push(value)
  return `$${values.length}::${cast}`
}

/** Adds the condition that a column has a value; null = it is empty. Throws ToolError. */
export function addEqual(conditions: Conditions, column: Column, value: string | null): void {
  const side = quoted(column.name)
  if (value === null) {
    conditions.predicates.push(`${side} IS NULL`)
    return
  }
  const { cast } = requireFitting(column, value)
  conditions.compared.push(column)
  conditions.predicates.push(
    `${side} ${operatorOf(column, '=')} ${placeFor(conditions, value, cast)}`,
  )
}

/** Runs a statement that reads with these conditions. Throws ToolError that names the columns with whose types a value does not fit. */
export async function askWith(
  ask: Ask,
  sql: string,
  { values, compared }: Conditions,
): Promise<unknown[][]> {
  try {
    return await ask(sql, values)
  } catch (error) {
    throw isWrongValue(error) && compared.length > 0 ? wrongValue(...compared) : error
  }
}

/** Returns the key when all of it is open and shown; otherwise nothing of it may be shown, asked for or seen in the order of rows. */
export function openKey({ key, columns }: Pick<ReadableTable, 'key' | 'columns'>): Column[] {
  const isOpen = key.every((column) => columns.includes(column) && column.base !== 'bytea')
  return isOpen ? key : []
}

/** Returns a column by its name. Throws ToolError that names those there are. */
export function requireColumn({ columns }: Pick<ReadableTable, 'columns'>, name: string): Column {
  const found = columns.find((column) => column.name === name)
  if (found) return found
  const names = columns.map((column) => column.name).join(', ')
  throw new ToolError('unknown-column', `Column not found or not permitted. It has: ${names}.`)
}

/** Returns an open column to find rows by. Throws ToolError that names it: nothing is found out about closed ones. */
export function requireShown({ columns }: Pick<ReadableTable, 'columns'>, name: string): Column {
  const found = columns.find((column) => column.name === name)
  if (found) return found
  const names = columns.map((column) => column.name).join(', ')
  throw columnHidden(name, `does not exist or is hidden from you. You can use: ${names}`)
}

/** Returns whether something of a value is hidden from whoever reads it. */
export function isHidden(value: string | null): boolean {
  return value !== null && redactText(cleanText(value)) !== cleanText(value)
}

/**
 * Returns the comparison of a column with a value. Throws ToolError for a type that cannot be compared, for a text that is no value of
 * its type, and for one that is hidden where it stands in a row, whether or not it does: nobody finds out by guessing.
 */
function requireFitting(column: Column, value: string): Comparison {
  if (column.base === 'bytea' || isHidden(value)) {
    throw columnHidden(column.name, 'cannot be compared with this: such values of it are hidden')
  }
  const comparison = comparisonOf(column)
  if (comparison === null) throw notComparable(column)
  if (comparison.takes(value)) return comparison
  throw wrongValue(column)
}

/** Returns the refusal of a comparison with what the caller may not see. */
export function columnHidden(name: string, why: string): ToolError {
  return new ToolError('column-hidden', `The column ${JSON.stringify(name)} ${why}.`)
}

/** Returns the refusal of a column whose type has no values that a text from a call could be compared with. */
function notComparable({ name, type }: Column): ToolError {
  return new ToolError(
    'not-comparable',
    `Values of ${name} cannot be compared: ${name} is of type ${type}. Only null can be asked for: it is empty.`,
  )
}

/** Returns the refusal of a value that does not fit its column, or one of these. */
export function wrongValue(...columns: Column[]): ToolError {
  const names = columns.map(({ name }) => name).join(' or ')
  const types = columns.map((column) => {
    const form = comparisonOf(column)?.form
    return `${columns.length > 1 ? `${column.name} is` : 'it is'} of type ${typeWords(column)}${form ? `, ${form}` : ''}`
  })
  return new ToolError('wrong-value', `The value for ${names} does not fit: ${types.join('; ')}.`)
}
