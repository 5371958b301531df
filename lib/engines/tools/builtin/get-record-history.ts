import { z } from 'zod'
import { type JsonValue, ToolError } from '@/lib/protocol/tool'
import { nameOf } from '../data/catalogue'
import { findRecord, type HistoryRow, readHistory } from '../data/read-history'
import { mostCharacters, shownValue } from '../data/read-rows'
import { requireTable, sourceSchema, tableSchema, textValues, valuesSchema } from '../data-access'
import type { AuditedChange, UsableTable } from '../data-resources'
import { defineTool, type ToolContext } from '../define-tool'

const mostChanges = 20

export default defineTool({
  name: 'get_record_history',
  description:
    'Says what happened to one record of a data source, newest first: when, and as far as you may know who did it, what, and to which ' +
    'values. Of columns that are closed it only says that they changed. get_schema says which tables have a history.',
  group: 'data',
  parameters: z.object({
    source: sourceSchema,
    table: tableSchema,
    key: valuesSchema('The key of the record, such as {"id": 7}.'),
    limit: z.int().min(1).max(mostChanges).default(10),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'data-source',
  effect: 'read',
  dataClass: 'internal-config',
  timeoutMs: 20_000,
  limits: [
    `${mostChanges} changes a call`,
    `${mostCharacters} characters a value`,
    '5 seconds a statement',
  ],
  example: { table: 'orders', key: { id: 7 } },
  execute: async ({ key, limit, ...asked }, context) => {
    const table = await requireTable(context.resources, asked)
    const { changes, more } = await historyOf(context, table, { key: textValues(key), limit })
    const head = { source: table.source, table: nameOf(table) }
    const columns = ['at', 'who', 'what', 'columns']
    const rows = changes.map(({ at, who, what, columns: each }) => [
      ...[at ?? '', who ?? '', what ?? ''],
      Object.keys(each).length > 0 ? JSON.stringify(each) : '',
    ])
    return {
      content: { ...head, changes: changes.map(withoutGaps), more },
      artifacts: [{ type: 'table', title: `History in ${head.table}`, columns, rows }],
    }
  },
})

/** One change as the model is told it. */
type Change = {
  at: string | null
  who: string | null
  what: string | null
  columns: { [column: string]: JsonValue }
}

async function historyOf(
  { resources, signal }: ToolContext,
  table: UsableTable,
  { key, limit }: { key: Record<string, string | null>; limit: number },
): Promise<{ changes: Change[]; more: boolean }> {
  const { history } = table
  if (history === null) throw noHistory(table)
  if (history.type === 'table') {
    const read = await resources.data.ask(table.sourceId, signal, async (ask) =>
      readHistory(ask, history, { key: await findRecord(ask, table, key), limit }),
    )
    return { changes: read.rows.map(ofRow), more: read.more }
  }
  const record = await resources.data.ask(table.sourceId, signal, (ask) =>
    findRecord(ask, table, key),
  )
  const read = await resources.data.audit({ table, record, limit })
  return { changes: read.changes.map(ofAudit), more: read.more }
}

function noHistory(table: UsableTable): ToolError {
  const words = table.isConsole
    ? 'The audit of this console does not say what happened to its records.'
    : 'An admin can name the table that has it, where the table is opened.'
  return new ToolError('no-history', `${nameOf(table)} has no history. ${words}`)
}

function ofRow({ at, who, kind, columns }: HistoryRow): Change {
  const shown = Object.entries(columns).map(([name, value]) => [name, shownValue(value)] as const)
  const [time, person, what] = [at, who, kind].map(shownValue)
  return {
    ...{ at: time ?? null, who: person ?? null, what: what ?? null },
    columns: Object.fromEntries(shown),
  }
}

function ofAudit({ at, who, what, columns, others }: AuditedChange): Change {
  const shown = columns.map(({ name, values }) => [
    name,
    values === null
      ? 'changed'
      : Object.fromEntries(
          Object.entries(values).map(([side, value]) => [side, shownValue(value)]),
        ),
  ])
  return {
    ...{ at, who: shownValue(who), what },
    columns: { ...Object.fromEntries(shown), ...(others && { '(others)': 'changed' }) },
  }
}

/** Leaves out what nothing is known of. */
function withoutGaps({ who, what, ...change }: Change): JsonValue {
  return { ...change, ...(who !== null && { who }), ...(what !== null && { what }) }
}
