import { z } from 'zod'
import { type JsonValue, type LeftOut, ToolError } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { nameOf } from '../data/catalogue'
import { findRecord, type HistoryRow, readHistory } from '../data/read-history'
import { mostCharacters, shownValue, type Tally, valuesLeftOut } from '../data/read-rows'
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
  execute: async ({ key, limit, ...rest }, context) => {
    const table = await requireTable(context.resources, rest)
    const { changes, leftOut } = await historyOf(context, table, { key: textValues(key), limit })
    const head = { source: table.source, table: nameOf(table) }
    const columns = ['at', 'who', 'what', 'columns']
    const rows = changes.map(({ at, who, what, columns: each }) => [
      at ?? '',
      who ?? '',
      what ?? '',
      Object.keys(each).length > 0 ? JSON.stringify(each) : '',
    ])
    return {
      content: { ...head, changes: changes.map(withoutGaps) },
      leftOut,
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
): Promise<{ changes: Change[]; leftOut: LeftOut[] }> {
  const { history } = table
  const tally = { redacted: 0, cut: 0, bytes: 0 }
  if (history === null) throw noHistory(table)
  if (history.type === 'table') {
    const read = await resources.data.ask(table.sourceId, signal, async (ask) =>
      readHistory(ask, history, { key: await findRecord(ask, table, key), limit }),
    )
    const changes = read.rows.map((row) => ofRow(row, tally))
    const closed = read.rows.flatMap((row) => row.closed)
    return { changes, leftOut: leftOutOf({ ...read, limit, closed, tally }) }
  }
  const record = await resources.data.ask(table.sourceId, signal, (ask) =>
    findRecord(ask, table, key),
  )
  const read = await resources.data.audit({ table, record, limit })
  const changes = read.changes.map((change) => ofAudit(change, tally))
  const closed = read.changes.flatMap(({ columns, others }) => [
    ...columns.flatMap(({ name, values }) => (values === null ? [name] : [])),
    ...(others ? ['(others)'] : []),
  ])
  const isUnsaid = read.changes.some(({ who, what }) => who === null && what === null)
  const unsaid = { what: 'who did it, and by which action', why: 'only admins are told' }
  const leftOut = leftOutOf({ ...read, limit, closed, tally })
  return { changes, leftOut: [...leftOut, ...(isUnsaid ? [unsaid] : [])] }
}

function leftOutOf({ more, limit, closed, tally }: Unsaid): LeftOut[] {
  const count = new Set(closed).size
  return [
    ...(more ? [{ what: `changes before these ${limit}`, why: 'the limit of this call' }] : []),
    ...(count > 0
      ? [
          {
            what: `the values of ${countOf(count, 'closed column')}`,
            why: 'it is only said that they changed',
          },
        ]
      : []),
    ...valuesLeftOut(tally),
  ]
}

type Unsaid = { more: boolean; limit: number; closed: readonly string[]; tally: Tally }

function noHistory(table: UsableTable): ToolError {
  const words = table.isConsole
    ? 'The audit of this console does not say what happened to its records.'
    : 'An admin can name the table that has it, where the table is opened.'
  return new ToolError('no-history', `${nameOf(table)} has no history. ${words}`)
}

function ofRow({ at, who, kind, columns, closed }: HistoryRow, tally: Tally): Change {
  const shown = Object.entries(columns).map(
    ([name, value]) => [name, shownValue(value, tally)] as const,
  )
  const [time, person, what] = [at, who, kind].map((value) => shownValue(value, tally))
  const changed = closed.map((name) => [name, 'changed'] as const)
  return {
    at: time ?? null,
    who: person ?? null,
    what: what ?? null,
    columns: Object.fromEntries([...shown, ...changed]),
  }
}

function ofAudit({ at, who, what, columns, others }: AuditedChange, tally: Tally): Change {
  const shown = columns.map(({ name, values }) => [
    name,
    values === null
      ? 'changed'
      : Object.fromEntries(
          Object.entries(values).map(([side, value]) => [side, shownValue(value, tally)]),
        ),
  ])
  return {
    at,
    who: shownValue(who),
    what,
    columns: { ...Object.fromEntries(shown), ...(others && { '(others)': 'changed' }) },
  }
}

/** Leaves out what nothing is known of. */
function withoutGaps({ who, what, ...change }: Change): JsonValue {
  return { ...change, ...(who !== null && { who }), ...(what !== null && { what }) }
}
