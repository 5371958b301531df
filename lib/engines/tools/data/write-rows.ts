import { createHash } from 'node:crypto'
import { REDACTED, redactText } from '@/lib/kernel/redaction/redact-text'
import type { TargetState } from '@/lib/protocol/look'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { type Column, quoted, shownSide } from './columns'
import { comparisonOf, isOfSystem, isStorable, writtenAs } from './comparison'
import { keyCharacters, noRow, requireKey, rowOf, selectOf, textsIn, type Values } from './one-row'
import {
  type Conditions,
  columnHidden,
  findReadable,
  isHidden,
  type OpenTable,
  placeFor,
  type ReadableTable,
  requireColumn,
  wrongValue,
} from './open-table'
import { countBytes, cutMark, shownValue, valuesLeftOut } from './read-rows'
import type { Ask } from './transactions'

export type RowUpdate = { key: Values; set: Values; was: Values }

/** A row as the model is told it. */
type ShownRow = { row: Record<string, string | null>; leftOut: LeftOut[] }

/** Maximum characters of a value that an approver is shown and that are compared after the write. */
const seenCharacters = 100_000

/** Returns a row as it is, and as it will be once `set` was written, one line a column (SPEC G-W). Throws ToolError. */
export async function seeUpdate(
  ask: Ask,
  opened: OpenTable,
  { key, set }: Pick<RowUpdate, 'key' | 'set'>,
): Promise<TargetState> {
  const table = await findReadable(ask, opened)
  const changes = valuesIn(table.written.update, set)
  const conditions = await rowOf(ask, table, key)
  const sides = [...table.columns.map(seenSide), ...newSides(conditions, changes)]
  const [row] = await ask(selectOf(table, sides, conditions), conditions.values)
  if (!row) throw noRow()
  const now = textsIn(row, table.columns.length)
  const after = textsIn(row.slice(table.columns.length), changes.length)
  const becomes = table.columns.map((column, index) => {
    const at = changes.findIndex((change) => change.column === column)
    return (at === -1 ? now : after)[at === -1 ? index : at] ?? null
  })
  return { now: linesOf(table.columns, now), becomes: linesOf(table.columns, becomes) }
}

/**
 * Changes one row, if its columns still have the values that were read. Everything happens in the transaction of `ask`, which must be
 * given up when this throws: then nothing was written.
 */
export async function updateRow(
  ask: Ask,
  opened: OpenTable,
  { key, set, was }: RowUpdate,
): Promise<ShownRow> {
  const table = await findReadable(ask, opened)
  const changes = valuesIn(table.written.update, set)
  const before = await lockRow(ask, table, { key, changes, was })
  for (const [at, { value }] of changes.entries()) refuseMarks(before[at] ?? '', value ?? '')
  const conditions = await rowOf(ask, table, key)
  const places = newPlaces(conditions, changes)
  const setting = changes.map(({ column }, at) => `${quoted(column.name)} = ${places[at]}`)
  const statement = `UPDATE ${table.from} SET ${setting.join(', ')} WHERE ${conditions.predicates.join(' AND ')} RETURNING 1`
  requireOne(await ask(statement, conditions.values))
  const [row] = await readRow(ask, table, key)
  if (row) return row
  throw new ToolError(
    'not-written',
    'Nothing was written: the row could not be found any more after the change.',
  )
}

/** Locks a row and returns the values of the columns that will be changed. Throws ToolError when they are not as they were read. */
async function lockRow(
  ask: Ask,
  table: ReadableTable,
  { key, changes, was }: { key: Values; changes: readonly Change[]; was: Values },
): Promise<(string | null)[]> {
  const conditions = await rowOf(ask, table, key)
  const known = changes.map(({ column }) => knownValue(column, was))
  const same = changes.map(({ column }, at) => sameSide(conditions, column, known[at] ?? null))
  const sides = [...changes.map(({ column }) => seenSide(column)), ...same]
  const [row, ...others] = await ask(
    `${selectOf(table, sides, conditions)} FOR UPDATE`,
    conditions.values,
  )
  if (!row) throw noRow()
  if (others.length > 0) throw new ToolError('ambiguous', 'Several rows have this key.')
  const values = textsIn(row, changes.length)
  const asShown = changes.map((_, at) => shownValue(values[at] ?? null) === known[at])
  const unknown = changes.find((_, at) => isHidden(values[at] ?? null) && !asShown[at])
  if (unknown) {
    throw columnHidden(
      unknown.column.name,
      'was not changed: its value is hidden from you, and "was" takes it as it is shown',
    )
  }
  const different = changes.filter((_, at) => row[changes.length + at] !== true && !asShown[at])
  if (different.length === 0) return values
  const names = different.map(({ column }) => column.name).join(', ')
  throw new ToolError(
    'changed',
    `Nothing was written: the row no longer has the value that "was" says, in: ${names}. Read it again.`,
  )
}

function knownValue({ name }: Column, was: Values): string | null {
  const value = Object.hasOwn(was, name) ? was[name] : undefined
  if (value !== undefined) return value
  throw new ToolError('wrong-value', `"was" takes the value of each changed column: ${name}.`)
}

function sameSide(conditions: Conditions, column: Column, value: string | null): string {
  const side = quoted(column.name)
  if (value === null) return `${side} IS NULL`
  const typed = isOfSystem(column) ? comparisonOf(column) : null
  if (!(typed?.takes ?? isStorable)(value)) return 'false'
  return typed
    ? `${side} IS NOT DISTINCT FROM ${placeFor(conditions, value, typed.cast)}`
    : `${side}::text IS NOT DISTINCT FROM ${placeFor(conditions, value, 'text')}`
}

/** Returns the row that is in the place of a new one, and the new one, in the lines of the columns that are set (SPEC G-W). */
export async function seeInsert(ask: Ask, opened: OpenTable, values: Values): Promise<TargetState> {
  const table = await findReadable(ask, opened)
  const changes = valuesIn(table.written.insert, values)
  const columns = changes.map(({ column }) => column)
  const conditions: Conditions = { predicates: [], values: [], compared: [] }
  const [row = []] = await ask(
    `SELECT ${newSides(conditions, changes).join(', ')}`,
    conditions.values,
  )
  const becomes = linesOf(columns, textsIn(row, columns.length))
  const key = requireKey(table).map(({ name }) => [name, values[name] ?? null] as const)
  // A row with a hidden key is not looked for, and will not be inserted.
  if (key.some(([, value]) => value === null || isHidden(value))) return { now: null, becomes }
  return { now: await seeRow(ask, table, { key: Object.fromEntries(key), columns }), becomes }
}

/** Returns the inserted row as it was read back, in the lines of the columns that were set; null = it is not there. */
export async function seeInserted(
  ask: Ask,
  opened: OpenTable,
  { key, values }: { key: Values; values: Values },
): Promise<string | null> {
  const table = await findReadable(ask, opened)
  const columns = valuesIn(table.written.insert, values).map(({ column }) => column)
  return seeRow(ask, table, { key, columns })
}

async function seeRow(
  ask: Ask,
  table: ReadableTable,
  { key, columns }: { key: Values; columns: Column[] },
): Promise<string | null> {
  const conditions = await rowOf(ask, table, key)
  const [row] = await ask(selectOf(table, columns.map(seenSide), conditions), conditions.values)
  return row ? linesOf(columns, textsIn(row, columns.length)) : null
}

/** Inserts one row, and returns it with its key. When this throws, the transaction of `ask` must be given up. */
export async function insertRow(
  ask: Ask,
  opened: OpenTable,
  values: Values,
): Promise<ShownRow & { key: Record<string, string> }> {
  const table = await findReadable(ask, opened)
  const changes = valuesIn(table.written.insert, values)
  for (const { value } of changes) refuseMarks('', value ?? '')
  const conditions: Conditions = { predicates: [], values: [], compared: [] }
  const names = changes.map(({ column }) => quoted(column.name))
  const returned = requireKey(table).map((column) => shownSide(column, keyCharacters))
  const statement = `INSERT INTO ${table.from} (${names.join(', ')}) VALUES (${newPlaces(conditions, changes).join(', ')}) RETURNING ${returned.join(', ')}`
  const made = requireOne(await ask(statement, conditions.values))
  const key = Object.fromEntries(
    requireKey(table).map(({ name }, at) => [name, shownKey(made[at])] as const),
  )
  const [row] = await readRow(ask, table, key)
  if (row) return { key, ...row }
  const owner =
    opened.owner && table.written.insert.find(({ name }) => name === opened.owner?.column)
  const hint = owner ? ` Set ${owner.name} to your own.` : ''
  throw new ToolError('not-yours', `Nothing was written: a new row must be one of yours.${hint}`)
}

function shownKey(value: unknown): string {
  const text = String(value)
  if (value !== null && redactText(text) === text && text.length < keyCharacters) return text
  throw new ToolError('hidden-key', 'Nothing was written: the key of the new row cannot be shown.')
}

/** A column with its new value. */
type Change = { column: Column; value: string | null }

/** Returns the columns that are to be written with their values, each of which fits. Throws ToolError. */
function valuesIn(columns: Column[], values: Values): Change[] {
  const changes = Object.entries(values).map(([name, value]) => {
    const column = requireColumn({ columns }, name)
    if (value !== null && !writtenAs(column).takes(value)) throw wrongValue(column)
    return { column, value }
  })
  if (changes.length > 0) return changes
  const names = columns.map(({ name }) => name).join(', ')
  throw new ToolError('wrong-value', `Give a value for at least one of: ${names}.`)
}

function newPlaces(conditions: Conditions, changes: readonly Change[]): string[] {
  return changes.map(({ column, value }) => placeFor(conditions, value, writtenAs(column).cast))
}

/** Returns what reads the new values as the database will have them. */
function newSides(conditions: Conditions, changes: readonly Change[]): string[] {
  return newPlaces(conditions, changes).map((place) => `left((${place})::text, ${seenCharacters})`)
}

function seenSide(column: Column): string {
  return shownSide(column, seenCharacters)
}

async function readRow(ask: Ask, table: ReadableTable, key: Values): Promise<ShownRow[]> {
  const conditions = await rowOf(ask, table, key)
  const rows = await ask(
    selectOf(table, table.columns.map(seenSide), conditions),
    conditions.values,
  )
  return rows.map((row) => {
    const found = textsIn(row, table.columns.length)
    const tally = { redacted: 0, cut: 0, bytes: countBytes(table.columns, [found]) }
    const texts = found.map((value) => shownValue(value, tally))
    const named = table.columns.map(({ name }, at) => [name, texts[at] ?? null] as const)
    return { row: Object.fromEntries(named), leftOut: valuesLeftOut(tally) }
  })
}

function requireOne([row, ...others]: unknown[][]): unknown[] {
  if (row && others.length === 0) return row
  throw new ToolError('not-written', 'Nothing was written: the database did not take the row.')
}

/**
 * Returns a row as a person sees it: one line a column, in which no value can look like another line. Of a value that is hidden in
 * part it says so, with a fingerprint that tells it from others: too short to lead back to it.
 */
function linesOf(columns: readonly Column[], values: readonly (string | null)[]): string {
  return columns.map(({ name }, at) => `${oneLine(name)}: ${lineOf(values[at] ?? null)}`).join('\n')
}

function lineOf(value: string | null): string {
  if (value === null) return 'NULL'
  const shown = oneLine(value === 'NULL' ? '"NULL"' : redactText(value))
  if (redactText(value) === value) return shown
  const fingerprint = createHash('sha256').update(value).digest('hex').slice(0, 4)
  return `${shown} (hidden in part, because it looks like a secret; fingerprint ${fingerprint})`
}

function oneLine(text: string): string {
  return text.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\n  ')
}

/** Refuses to write over a value what a reader was shown in place of a part of it. */
function refuseMarks(before: string, after: string): void {
  const mark = [REDACTED, cutMark].find((each) => count(after, each) > count(before, each))
  if (mark === undefined) return
  throw new ToolError(
    'redacted',
    `Nothing was written: the new value has "${mark}", which stands for a part of a value that was not shown.`,
  )
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
