import 'server-only'
import { openableColumns } from '@/lib/domains/data-sources/denylist'
import { type StoredSource, usableSources } from '@/lib/domains/data-sources/stored'
import { isTooSlow, isWrongValue } from '@/lib/engines/tools/data/source-trouble'
import type { DataResources, UsableTable } from '@/lib/engines/tools/data-resources'
import type { Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { type Actor, ToolError } from '@/lib/protocol/tool'
import { askSource } from '../data-sources/open-source'

/** Returns the databases of this installation as `actor`'s tools may read them at this moment (SPEC A2a). */
export function dataResources(tx: Tx, actor: Actor): DataResources {
  return {
    tables: async () => {
      const sources = await usableSources(tx, actor)
      return sources.flatMap((source) => tablesOf(source, actor))
    },
    ask: async (sourceId, signal, work) => {
      const source = (await usableSources(tx, actor)).find(({ id }) => id === sourceId)
      if (!source) throw new ToolError('not-found', 'Table not found or not permitted.')
      try {
        return await askSource(tx, source, signal, work)
      } catch (error) {
        if (error instanceof ToolError) throw error
        signal.throwIfAborted()
        log.warn({ source: 'data-sources', err: error }, 'A data source could not be read')
        throw refusalOf(error)
      }
    },
  }
}

function tablesOf(source: StoredSource, { role, email, userId }: Actor): UsableTable[] {
  const values = { email, userId }
  return source.tables.flatMap((table) => {
    const { schema, name, columns, key, deletedColumn, ownerColumn, ownerHolds } = table
    const open = source.kind === 'console' ? openableColumns(table, columns) : columns
    if (open.length === 0) return []
    const isOwned = role !== 'admin' && ownerColumn !== null && ownerHolds !== null
    return {
      ...{ sourceId: source.id, source: source.name },
      ...{ schema, name, columns: open, key, deletedColumn },
      owner: isOwned ? { column: ownerColumn, holds: ownerHolds, value: values[ownerHolds] } : null,
    }
  })
}

/** Returns what a model is told in place of what the database said. */
function refusalOf(error: unknown): ToolError {
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
