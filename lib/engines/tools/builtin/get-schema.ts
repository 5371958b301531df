import { z } from 'zod'
import { type JsonValue, ToolError } from '@/lib/protocol/tool'
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
  execute: async (asked, context) => {
    const all = await usableTables(context.resources, asked)
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
    const more = all.slice(mostTables).map((table) => `${nameOf(table)} of ${table.source}`)
    return { content: { tables: described.flat(), ...(more.length > 0 && { more }) } }
  },
})

/** Describes tables of one source. What cannot be read now says so in its place. */
async function describeSource(
  { resources, signal }: ToolContext,
  tables: readonly UsableTable[],
): Promise<JsonValue[]> {
  const [first] = tables
  if (!first) return []
  try {
    const found = await resources.data.ask(first.sourceId, signal, (ask) => readTables(ask, tables))
    return tables.map((table) => described(table, found))
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return tables.map((table) => ({ ...headOf(table), trouble: error.message }))
  }
}

function described(table: UsableTable, found: Awaited<ReturnType<typeof readTables>>): JsonValue {
  try {
    const catalogue = found.find((each) => nameOf(each) === nameOf(table))
    const { columns, key, written } = readableOf(catalogue ?? null, table)
    return {
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
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { ...headOf(table), trouble: error.message }
  }
}

function namesOf(columns: readonly { name: string }[]): string[] {
  return columns.map(({ name }) => name)
}

function headOf(table: UsableTable) {
  return { source: table.source, table: nameOf(table) }
}
