import type { Ask } from '@/lib/engines/tools/data/transactions'
import type { UsableTable } from '@/lib/engines/tools/data-resources'
import { memoryResources } from './memory-resources'

const column = (name: string) => ({
  name,
  type: 'text',
  base: 'text',
  kind: 'other',
  labels: null,
  operators: 'pg_catalog',
})
const catalogueOf = (...names: string[]) => [
  ['public', 'notes', false, names.map(column), ['note'], ['note']],
]
const notes = {
  schema: 'public',
  name: 'notes',
  key: ['note'],
  deletedColumn: null,
  owner: null,
  columns: ['note'],
  insertColumns: ['note'],
  updateColumns: ['note'],
}

/** Returns a data source whose one row has this text. */
export function memoryData(
  text: string,
  rows: unknown[][][] = [[[`word ${text}`, `word ${text}`]]],
  history: UsableTable['history'] = null,
) {
  const answers = [catalogueOf('note'), ...rows]
  const of = { sourceId: 's', source: 'shop', hasQueries: false, isConsole: false }
  const table: UsableTable = { ...of, ...notes, history }
  const work = <T>(_id: string, _signal: AbortSignal, ofCall: (ask: Ask) => Promise<T>) =>
    ofCall(async (sql) => (sql.startsWith('DECLARE') ? [] : (answers.shift() ?? [])))
  return {
    data: { ...memoryResources().data, tables: async () => [table], ask: work, write: work },
  }
}

/** Returns such a data source with the history of its row, in a table or in the audit. */
export function memoryHistory(text: string, type: 'table' | 'audit') {
  const table = { ...notes, columns: ['note', 'more'] }
  const named = { keyColumn: 'note', atColumn: 'note', whoColumn: 'note', kindColumn: 'note' }
  const rows = [[['a']], catalogueOf('note', 'more'), [[`word ${text}`, text]]]
  const inTable = { type: 'table', table, ...named } as const
  const resources = memoryData(text, rows, type === 'table' ? inTable : { type, objects: 'note' })
  const columns = [{ name: 'note', values: { before: text, after: `word ${text}` } }]
  const change = { at: '2026-01-01', who: text, what: 'note.update', columns, others: false }
  const audit = async () => ({ changes: [change], more: false })
  return { data: { ...resources.data, audit } }
}
