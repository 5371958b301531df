import pg from 'pg'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { nameOf } from './catalogue'
import { namesIn, refuseByNames, refuseByPlan } from './query-names'
import { columnsOf, type QueryTable, readPowers } from './query-role'
import { shownValue, valuesLeftOut } from './read-rows'
import type { Ask, AskedDatabase } from './transactions'

const mostRows = 200
const mostBytes = 64 * 1024
/**
 * Maximum bytes that the server may send for one query before it is cut: more than is shown, and far less than would
 * hurt.
 */
const mostReceived = 32 * 1024 * 1024
const longestMs = 12_000
const rowsLimit = `${mostRows} rows and 64 KiB are the limit; ask for less, or use LIMIT and OFFSET`

export const queryLimits = [
  '1 statement, which is a SELECT, VALUES or WITH',
  `${mostRows} rows`,
  '64 KiB, 300 characters a value',
  '5 seconds',
] as const

/** The result of a query. */
export type QueryResult = { columns: string[]; rows: (string | null)[][]; leftOut: LeftOut[] }

type Login = { role: string; password: string }

/** The role has other powers than it must have. Its grants are renewed, or nothing runs. */
export class RolePowersError extends Error {
  constructor(
    message: string,
    readonly isRenewable: boolean,
  ) {
    super(message)
  }
}

const begin = `
  BEGIN TRANSACTION READ ONLY;
  SET LOCAL statement_timeout = '5s';
  SET LOCAL lock_timeout = '1s';
  SET LOCAL idle_in_transaction_session_timeout = '5s';
  SET LOCAL work_mem = '4MB';
  SET LOCAL max_parallel_workers_per_gather = 0;
  SET LOCAL search_path = '';
  SET LOCAL standard_conforming_strings = on;
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD'`

const asText = { getTypeParser: () => (value: string) => value }
const declaration = 'DECLARE toolgate_rows NO SCROLL CURSOR FOR '
/** It has the functions that a query calls through views, by the names that they resolve to. */
const plan = 'EXPLAIN (VERBOSE, COSTS OFF) '

/** `isWhole`: the role must be able to read all of `tables`, not only nothing else. */
type Asked = {
  database: AskedDatabase
  login: Login
  tables: readonly QueryTable[]
  isWhole: boolean
  signal: AbortSignal
}

/**
 * Runs one statement as the role of queries, over a connection of its own that is closed afterwards, in a transaction that is rolled
 * back. Before it, the role is checked: a session that can do more than read the opened columns runs nothing (RolePowersError).
 */
export async function runAsRole(input: Asked, sql: string): Promise<QueryResult> {
  const { database, login, signal } = input
  refuseByNames(sql)
  signal.throwIfAborted()
  const { client, received, cut } = database.connectAs(login)
  client.on('error', () => undefined)
  let isTooMuch = false
  const stop = () => cut()
  const watch = setInterval(() => {
    isTooMuch ||= received() > mostReceived
    if (isTooMuch) stop()
  }, 20)
  const end = setTimeout(stop, longestMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    await client.query(begin)
    const ask: Ask = async (text, values = []) => {
      const { rows } = await client.query({ text, values: [...values], rowMode: 'array' })
      return rows
    }
    await requireHarmless(ask, input)
    return await readResult(client, sql)
  } catch (error) {
    signal.throwIfAborted()
    if (isTooMuch) throw new ToolError('too-much', 'The result is too large. Ask for less.')
    throw error
  } finally {
    clearInterval(watch)
    clearTimeout(end)
    signal.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}

async function requireHarmless(
  ask: Ask,
  { database, login, tables, isWhole }: Asked,
): Promise<void> {
  const isOwn = database.mustNotBe === null
  const { unsafe, columns } = await readPowers(ask, { role: login.role, isOwn })
  if (unsafe !== null) throw new RolePowersError(unsafe, false)
  const wanted = columnsOf(tables)
  const more = columns.find((column) => !wanted.has(column))
  if (more !== undefined) throw new RolePowersError(`its role can also read ${more}`, true)
  if (isWhole && columns.length < wanted.size) {
    throw new RolePowersError('its role cannot read all opened columns', true)
  }
}

async function readResult(client: pg.Client, sql: string): Promise<QueryResult> {
  // In this mode, the database refuses a second statement.
  const planned = { text: `${plan}${sql}`, queryMode: 'extended', rowMode: 'array' as const }
  const { rows: lines } = await client.query<[string]>(planned)
  refuseByPlan(lines.map(([line]) => line))
  const declared = { text: `${declaration}${sql}`, queryMode: 'extended' }
  await client.query(declared)
  const fetched = {
    text: `FETCH ${mostRows + 1} FROM toolgate_rows`,
    rowMode: 'array' as const,
    types: asText,
  }
  const { rows, fields } = await client.query<(string | null)[]>(fetched)
  const shown: (string | null)[][] = []
  let bytes = 0
  const tally = { redacted: 0, cut: 0, bytes: 0 }
  for (const row of rows.slice(0, mostRows)) {
    const values = row.map((value) =>
      value === null ? null : shownValue(cleanText(value.slice(0, 2_000)), tally),
    )
    bytes += values.reduce((sum, value) => sum + Buffer.byteLength(value ?? '') + 8, 0)
    if (bytes > mostBytes) break
    shown.push(values)
  }
  const columns = fields.map(({ name }) => redactText(cleanText(name)))
  const isCut = shown.length < rows.length
  const after = { what: `rows after the first ${shown.length}`, why: rowsLimit }
  return { columns, rows: shown, leftOut: [...(isCut ? [after] : []), ...valuesLeftOut(tally)] }
}

const classes: Readonly<Record<string, string>> = {
  '08': 'The connection to the database broke.',
  '0A': 'The database does not support this in a query that only reads.',
  '22': 'A value in the query does not fit its type, or cannot be calculated.',
  '25': 'A query only reads.',
  '42': 'The query is not valid, or names a table, column or function that does not exist or is not permitted.',
  '53': 'The database has no room for this query now.',
  '54': 'The query is too complex.',
  '57': 'The query was ended, because it took longer than 5 seconds.',
  '55': 'The query waits for a lock of somebody else.',
}

type QueryContext = { sql: string; closed: readonly { schema: string; name: string }[] }

function deletedWouldShow(table: QueryContext['closed'][number]): ToolError {
  return new ToolError(
    'deleted-rows',
    `Nothing was run: ${nameOf(table)} has a mark of deleted rows, and in a query the deleted rows would show. Use read_records or search_records for it.`,
  )
}

const noDetails: { code?: string; position?: string } = {}

/**
 * Returns what a model is told of an error: its class in our own words, and where in the query it is. `closed`: the tables that are
 * closed to queries because of their deleted rows.
 */
export function queryRefusal(error: unknown, { sql, closed }: QueryContext): ToolError {
  const { code = '', position = '' } = error instanceof pg.DatabaseError ? error : noDetails
  if (code.startsWith('42')) {
    const names = namesIn(sql)
    const named = closed.find((table) => names.has(nameOf(table)))
    if (named) return deletedWouldShow(named)
  }
  const words = classes[code.slice(0, 2)] ?? 'The database refused the query.'
  const at = Number(position) - plan.length
  const where = Number.isInteger(at) && at > 0 ? ` Look at character ${at}.` : ''
  const kind = code === '' ? 'unavailable' : `sql-${code.slice(0, 2).toLowerCase()}`
  return new ToolError(kind, `${words}${where}`)
}
