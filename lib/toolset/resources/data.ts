import 'server-only'
import { openableColumns } from '@/lib/domains/data-sources/denylist'
import { type StoredSource, usableSources } from '@/lib/domains/data-sources/stored'
import { queryRefusal } from '@/lib/engines/tools/data/role-query'
import {
  isTooSlow,
  isWrongValue,
  loggedTrouble,
  writeTrouble,
} from '@/lib/engines/tools/data/source-trouble'
import type { DataResources, UsableTable } from '@/lib/engines/tools/data-resources'
import type { Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { type Actor, ToolError } from '@/lib/protocol/tool'
import { askSource, writeSource } from '../data-sources/open-source'
import { querySource } from '../data-sources/queries'

/** Returns the databases of this installation as `actor`'s tools may read them at this moment (SPEC A2a). */
export function dataResources(tx: Tx, actor: Actor): DataResources {
  return {
    tables: async () => {
      const sources = await usableSources(tx, actor)
      return sources.flatMap((source) => tablesOf(source, actor))
    },
    ask: (sourceId, signal, work) =>
      withRefusals(signal, readRefusal, async () =>
        askSource(tx, await requireUsable(tx, { actor, sourceId }), signal, work),
      ),
    write: (sourceId, signal, work) =>
      withRefusals(signal, writeRefusal, async () =>
        writeSource(tx, await requireUsable(tx, { actor, sourceId }), signal, work),
      ),
    query: ({ source: named, sql, signal }) =>
      withRefusals(signal, queryRefusal, async () => {
        const source = await requireQueried(tx, { actor, source: named })
        return { name: source.name, ...(await querySource(tx, source, { sql, signal })) }
      }),
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
      { source: 'data-sources', ...loggedTrouble(error) },
      'A data source refused a statement',
    )
    throw refusalOf(error)
  }
}

function tablesOf(source: StoredSource, { role, email, userId }: Actor): UsableTable[] {
  const values = { email, userId }
  return source.tables.flatMap((table) => {
    const { schema, name, columns, key, deletedColumn, ownerColumn, ownerHolds } = table
    const isConsole = source.kind === 'console'
    const open = isConsole ? openableColumns(table, columns) : columns
    if (open.length === 0) return []
    const isOwned = role !== 'admin' && ownerColumn !== null && ownerHolds !== null
    return {
      ...{ sourceId: source.id, source: source.name, hasQueries: source.querySecretId !== null },
      ...{ schema, name, columns: open, key, deletedColumn },
      insertColumns: isConsole ? [] : table.insertColumns,
      updateColumns: isConsole ? [] : table.updateColumns,
      owner: isOwned ? { column: ownerColumn, holds: ownerHolds, value: values[ownerHolds] } : null,
    }
  })
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
  const { code, words } = writeTrouble(error)
  return new ToolError(code, words)
}
