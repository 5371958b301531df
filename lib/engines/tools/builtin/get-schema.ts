import { z } from 'zod'
import { type JsonValue, type LeftOut, ToolError } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { nameOf, readTables } from '../data/catalogue'
import { readableOf } from '../data/open-table'
import { sourceSchema, tableSchema, usableTables } from '../data-access'
import type { UsableTable } from '../data-resources'
import { defineTool, type ToolContext } from '../define-tool'

const mostTables = 50

export default defineTool({
  name: 'get_schema',
  description:
    'Describes the tables of data sources that you may read: columns with their types, and the key of their rows. Use it before ' +
    'read_records and search_records. Other tables and columns may exist, and cannot be read.',
  group: 'data',
  parameters: z.object({ source: sourceSchema, table: tableSchema.optional() }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'data-source',
  effect: 'read',
  dataClass: 'internal-config',
  timeoutMs: 30_000,
  limits: [`${mostTables} tables a call`, '5 seconds a statement'],
  example: {},
  execute: async (input, context) => {
    const all = await usableTables(context.resources, input)
    const tables = all.slice(0, mostTables)
    const sources = [...new Set(tables.map(({ sourceId }) => sourceId))]
    const described = await Promise.all(
      sources.map((id) =>
        describeSource(
          context,
          tables.filter(({ sourceId }) => sourceId === id),
        ),
      ),
    )
    const further = all.slice(mostTables).map((table) => `${nameOf(table)} of ${table.source}`)
    const parts = described.flat()
    const limit = 'the limit of this call; "further" names them, for "table"'
    return {
      content: {
        tables: parts.map(({ table }) => table),
        ...(further.length > 0 && { further }),
      },
      leftOut: [
        ...(further.length > 0
          ? [{ what: `the columns of ${countOf(further.length, 'table')}`, why: limit }]
          : []),
        ...unreadOf(parts),
      ],
    }
  },
})

/** A table as the model is told it. `why`: it could not be read. */
type Part = { table: JsonValue; why?: string }

/** Returns the tables that could not be read, counted by the reason. */
function unreadOf(parts: readonly Part[]): LeftOut[] {
  const counts = new Map<string, number>()
  for (const { why } of parts) {
    if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
  }
  return [...counts].map(([why, count]) => ({
    what: `the columns of ${countOf(count, 'table')} without "columns"`,
    why: why.replace(/\.$/, ''),
  }))
}

/** Describes tables of one source. Those that cannot be read now are only named. */
async function describeSource(
  { resources, signal }: ToolContext,
  tables: readonly UsableTable[],
): Promise<Part[]> {
  const [first] = tables
  if (!first) return []
  try {
    const found = await resources.data.ask(first.sourceId, signal, (ask) => readTables(ask, tables))
    return tables.map((table) => described(table, found))
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return tables.map((table) => ({ table: headOf(table), why: error.message }))
  }
}

function described(table: UsableTable, found: Awaited<ReturnType<typeof readTables>>): Part {
  try {
    const catalogue = found.find((each) => nameOf(each) === nameOf(table))
    const { columns, key, written } = readableOf(catalogue ?? null, table)
    const readable = {
      ...headOf(table),
      columns: columns.map(({ name, type }) => ({ name, type })),
      key: key.filter((column) => columns.includes(column)).map(({ name }) => name),
      ...(table.history && { history: 'with get_record_history' }),
      ...(table.owner && { rows: 'only your own' }),
      ...(table.hasQueries &&
        table.deletedColumn !== null && { queries: 'not with run_query: deleted rows would show' }),
      ...(written.insert.length > 0 && { insertable: namesOf(written.insert) }),
      ...(written.update.length > 0 && { changeable: namesOf(written.update) }),
    }
    return { table: readable }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { table: headOf(table), why: error.message }
  }
}

function namesOf(columns: readonly { name: string }[]): string[] {
  return columns.map(({ name }) => name)
}

function headOf(table: UsableTable) {
  return { source: table.source, table: nameOf(table) }
}
