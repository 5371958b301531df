import 'server-only'
import { createHmac } from 'node:crypto'
import { readAuditPage } from '@/lib/domains/audit/list-audit'
import { auditedTables } from '@/lib/domains/data-sources/audited-tables'
import { openableColumns } from '@/lib/domains/data-sources/denylist'
import type { OpenedTable } from '@/lib/domains/data-sources/shared/opened-table'
import { type StoredSource, usableSources } from '@/lib/domains/data-sources/stored'
import { nameOf } from '@/lib/engines/tools/data/catalogue'
import type { OpenTable } from '@/lib/engines/tools/data/open-table'
import { queryRefusal } from '@/lib/engines/tools/data/role-query'
import {
  isTooSlow,
  isWrongValue,
  loggedProblem,
  writeProblem,
} from '@/lib/engines/tools/data/source-problem'
import type { DataResources, UsableTable } from '@/lib/engines/tools/data-resources'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { type Actor, ToolError } from '@/lib/protocol/tool'
import { askSource, writeSource } from '../data-sources/open-source'
import { querySource } from '../data-sources/queries'
import { auditedChange } from './audited-change'

/** Returns the databases of this installation as `actor`'s tools may read them at this moment (SPEC A2a). */
export function dataResources(tx: Tx, actor: Actor): DataResources {
  return {
    tables: async () => {
      const sources = await usableSources(tx, actor)
      return sources.flatMap((source) => tablesOf(source, actor))
    },
    sign: (sourceId, words) =>
      createHmac('sha256', env().NEXTAUTH_SECRET)
        .update(JSON.stringify(['row cursor', actor.userId, sourceId, words]))
        .digest(),
    ask: (sourceId, signal, work) =>
      withRefusals(signal, readRefusal, async () =>
        askSource(tx, await requireUsable(tx, { actor, sourceId }), signal, work),
      ),
    write: (sourceId, signal, work) =>
      withRefusals(signal, writeRefusal, async () =>
        writeSource(tx, await requireUsable(tx, { actor, sourceId }), signal, work),
      ),
    query: async ({ source: named, sql, signal }) => {
      const source = await requireQueried(tx, { actor, source: named })
      const closed = source.tables.filter(({ deletedColumn }) => deletedColumn !== null)
      const refusalOf = (error: unknown) => queryRefusal(error, { sql, closed })
      const found = await withRefusals(signal, refusalOf, () =>
        querySource(tx, source, { sql, signal }),
      )
      return { name: source.name, ...found }
    },
    audit: async ({ table, record, limit }) => {
      const { history } = table
      if (history?.type !== 'audit') throw new Error('The audit has no history of this table.')
      const input = {
        kind: 'change',
        objectType: history.objects,
        objectId: record,
        limit,
      } as const
      const { rows, nextCursor } = await readAuditPage(input)
      const changes = rows.map((row) => auditedChange(row, table, actor))
      return { changes, more: nextCursor !== null }
    },
  }
}

/** Returns the source that is named, or the only one, of those that allow queries. Throws ToolError. */
async function requireQueried(
  tx: Tx,
  { actor, source }: { actor: Actor; source: string | undefined },
): Promise<StoredSource> {
  const usable = actor.role === 'admin' ? await usableSources(tx, actor) : []
  const queried = usable.filter(({ querySecretId }) => querySecretId !== null)
  const found = queried.filter(({ name }) => source === undefined || name === source)
  const [only, ...others] = found
  if (only && others.length === 0) return only
  const names = queried.map(({ name }) => name).join(', ')
  const hint = names === '' ? 'None allows queries.' : `Queries are allowed on: ${names}.`
  if (only) throw new ToolError('ambiguous', `Name the data source. ${hint}`)
  throw new ToolError('not-found', `Data source not found or not permitted. ${hint}`)
}

async function requireUsable(
  tx: Tx,
  { actor, sourceId }: { actor: Actor; sourceId: string },
): Promise<StoredSource> {
  const source = (await usableSources(tx, actor)).find(({ id }) => id === sourceId)
  if (source) return source
  throw new ToolError('not-found', 'Table not found or not permitted.')
}

/** Returns what the work returns. A model is told what failed in words that repeat nothing of the database's own. */
async function withRefusals<T>(
  signal: AbortSignal,
  refusalOf: (error: unknown) => ToolError,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ToolError) throw error
    signal.throwIfAborted()
    log.warn(
      { source: 'data-sources', ...loggedProblem(error) },
      'A data source refused a statement',
    )
    throw refusalOf(error)
  }
}

function tablesOf(source: StoredSource, actor: Actor): UsableTable[] {
  const isConsole = source.kind === 'console'
  const opened = source.tables.flatMap((table) => {
    const open = openOf(table, { isConsole, actor })
    return open.columns.length > 0 ? [{ table, open }] : []
  })
  const byName = new Map(opened.map(({ open }) => [nameOf(open), open]))
  return opened.map(({ table, open }) => ({
    sourceId: source.id,
    source: source.name,
    hasQueries: source.querySecretId !== null,
    isConsole,
    ...open,
    history: isConsole ? auditOf(open) : historyOf(table, byName),
  }))
}

/** Returns what the actor may use of a table that is open. */
function openOf(
  table: OpenedTable,
  { isConsole, actor }: { isConsole: boolean; actor: Actor },
): OpenTable {
  const { schema, name, columns, key, deletedColumn, ownerColumn, ownerHolds } = table
  const { role, email, userId } = actor
  const values = { email, userId }
  const isOwned = role !== 'admin' && ownerColumn !== null && ownerHolds !== null
  return {
    schema,
    name,
    key,
    deletedColumn,
    columns: isConsole ? openableColumns(table, columns) : columns,
    insertColumns: isConsole ? [] : table.insertColumns,
    updateColumns: isConsole ? [] : table.updateColumns,
    owner: isOwned ? { column: ownerColumn, holds: ownerHolds, value: values[ownerHolds] } : null,
  }
}

function auditOf({ schema, name }: OpenTable): UsableTable['history'] {
  const objects = schema === 'public' ? auditedTables.get(name) : undefined
  return objects === undefined ? null : { type: 'audit', objects }
}

/** Returns where the history of records is that the actor may read; null = there is none. */
function historyOf(
  { historyTable, historyKey, historyAt, historyWho, historyKind }: OpenedTable,
  usable: ReadonlyMap<string, OpenTable>,
): UsableTable['history'] {
  const table = historyTable === null ? undefined : usable.get(historyTable)
  if (table === undefined || historyKey === null || historyAt === null) return null
  const named = { whoColumn: historyWho, kindColumn: historyKind }
  return { type: 'table', table, keyColumn: historyKey, atColumn: historyAt, ...named }
}

/** Returns what a model is told in place of what the database said. */
function readRefusal(error: unknown): ToolError {
  if (isWrongValue(error)) {
    return new ToolError('wrong-value', 'A value does not fit the type of its column.')
  }
  if (isTooSlow(error)) {
    return new ToolError(
      'too-slow',
      'The database took longer than 5 seconds. Ask for less, or filter by the key.',
    )
  }
  return new ToolError(
    'unavailable',
    'The data source cannot be read now. An admin can see why on its page under Resources.',
  )
}

/** Returns what a model is told of a write that the database refused. */
function writeRefusal(error: unknown): ToolError {
  const { code, words } = writeProblem(error)
  return new ToolError(code, words)
}
