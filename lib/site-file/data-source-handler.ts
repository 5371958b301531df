import { openableColumns } from '@/lib/domains/data-sources/denylist'
import { dataSources, type OpenedTable } from '@/lib/domains/data-sources/shape'
import { findDataSource, readDataSources } from '@/lib/domains/data-sources/stored'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { closeTable, openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import type { Handler, Site, Work } from './handler'
import { withIds } from './references'
import { resourceHandler } from './resource-handler'
import type { EntryOf, GivenOf } from './site-file'

type Entry = EntryOf<'dataSources'>
type Given = GivenOf<'dataSources'>
type Table = Entry['tables'][number]

const described = resourceHandler('dataSources')

/** Data sources with their opened tables. Tables are closed first and opened last, and only of a database that can be asked. */
export const dataSourceHandler: Handler<'dataSources'> = {
  read: async (ctx) => {
    const entries = await described.read(ctx)
    const opened = new Map((await readDataSources(db())).map(({ name, tables }) => [name, tables]))
    return entries.map((entry) => ({ ...entry, tables: tablesOf(opened.get(entry.name) ?? []) }))
  },
  becomes: { tables: (before, given) => merged(before, given) },
  meant: async (ctx, written, before) => {
    const said = (await described.meant?.(ctx, written, before)) ?? null
    const { tables, ...given } = said?.given ?? written
    const needsAnswer = differing(before, written).length > 0
    if (tables === undefined || !needsAnswer || (await hasAddress(written, before))) return said
    const notice = `The tables of the data source ${written.name} are not opened before its connection string is here: enter it, then apply the file again.`
    return { given, notice: said ? `${said.notice} ${notice}` : notice }
  },
  work: ({ before, given, changed }) => {
    const { tables: _, ...facts } = given
    const others = new Set([...changed].filter((field) => field !== 'tables'))
    const { narrow, write, finish } = described.work({ before, given: facts, changed: others })
    if (!changed.has('tables')) return { narrow, write, finish }
    const kept = new Set(merged(before, given).map(nameOf))
    const gone = (before?.tables ?? []).filter((table) => !kept.has(nameOf(table)))
    const opened = differing(before, given)
    const close = (ctx: Ctx, reason: string) => closeAll(ctx, given.name, gone, reason)
    const open = (ctx: Ctx, reason: string) => openAll(ctx, given.name, opened, reason)
    return {
      narrow: gone.length > 0 ? bothOf(narrow, close) : narrow,
      write,
      finish: opened.length > 0 ? bothOf(open, finish) : finish,
    }
  },
}

/** Returns why tables of a file cannot be opened, as far as it is known without asking their databases, a sentence each. */
export function findTableProblems({ file, state }: Site): string[] {
  return file.dataSources.flatMap((given) => {
    const { name, kind = state.dataSources.get(name)?.kind, tables = [] } = given
    const names = new Set(tables.map(nameOf))
    return tables.flatMap((table) => {
      const who = `The data source ${name}, ${nameOf(table)}`
      const { historyTable = null } = table
      const isMissing = historyTable !== null && !names.has(historyTable)
      const open = kind === 'console' ? openableColumns(table, table.columns) : table.columns
      const closed = table.columns.filter((column) => !open.includes(column))
      return [
        ...(isMissing ? [`${who} needs the table ${historyTable} to be open, too.`] : []),
        ...(closed.length > 0 ? [`${who} cannot open: ${closed.join(', ')}.`] : []),
      ]
    })
  })
}

function nameOf({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `${schema}.${name}`
}

/** Returns opened tables as a file has them, by name. A history whose table was closed since is left out. */
function tablesOf(opened: readonly OpenedTable[]): Table[] {
  const names = new Set(opened.map(nameOf))
  return inOrder(
    opened.map(({ id: _, key: __, groupsOnly, groups, ...table }) => ({
      ...table,
      ...(table.historyTable !== null && !names.has(table.historyTable) && noHistory),
      groups: groupsOnly ? groups.map((group) => group.name).toSorted() : null,
    })),
  )
}

const noHistory = {
  historyTable: null,
  historyKey: null,
  historyAt: null,
  historyWho: null,
  historyKind: null,
}
const usual = {
  ownerColumn: null,
  ownerHolds: null,
  insertColumns: [],
  updateColumns: [],
  groups: null,
  ...noHistory,
}

function inOrder(tables: Table[]): Table[] {
  return tables.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** Returns what is open once a file is applied: what it leaves out of a table stays. */
function merged(before: Entry | null, { tables }: Given): Table[] {
  if (tables === undefined) return before?.tables ?? []
  const here = new Map((before?.tables ?? []).map((table) => [nameOf(table), table]))
  return inOrder(tables.map((table) => ({ ...usual, ...here.get(nameOf(table)), ...table })))
}

/** Returns the tables that a file opens, or opens in another way. */
function differing(before: Entry | null, given: Given): Table[] {
  const here = new Map((before?.tables ?? []).map((table) => [nameOf(table), textOf(table)]))
  return merged(before, given).filter((table) => here.get(nameOf(table)) !== textOf(table))
}

function textOf(table: Table): string {
  return JSON.stringify(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function hasAddress({ name, kind }: Given, before: Entry | null): Promise<boolean> {
  if ((before?.kind ?? kind) === 'console') return true
  return ((await findDataSource(db(), { name }))?.addressSecretId ?? null) !== null
}

function bothOf(first: Work['write'], second: Work['write']): NonNullable<Work['write']> {
  return async (ctx, reason) => {
    await first?.(ctx, reason)
    await second?.(ctx, reason)
  }
}

async function closeAll(ctx: Ctx, id: string, gone: Table[], reason: string): Promise<void> {
  const names = new Set(gone.map(nameOf))
  const { tables } = await dataSourceVerbs.read(ctx, { id })
  for (const table of tables.filter((each) => names.has(nameOf(each)))) {
    await closeTable(ctx, { id, tableId: table.id, reason })
  }
}

/** Opens tables, each after the one that has its history. */
async function openAll(ctx: Ctx, id: string, tables: Table[], reason: string): Promise<void> {
  const byName = new Map(tables.map((table) => [nameOf(table), table]))
  const inTurn = tables.toSorted((a, b) => depthOf(a, byName) - depthOf(b, byName))
  for (const { groups = null, ...table } of inTurn) {
    const { groupIds } = dataSources.fields
    const named = await withIds(ctx, { groupIds }, { groups: groups ?? [] })
    const ids = [named.groupIds].flat().map(String)
    await openTable(ctx, { ...table, id, groupsOnly: groups !== null, groupIds: ids, reason })
  }
}

/** Returns how many tables must be open before this one. */
function depthOf(table: Table, byName: ReadonlyMap<string, Table>, most = byName.size): number {
  const history = byName.get(table.historyTable ?? '')
  return history && most > 0 ? 1 + depthOf(history, byName, most - 1) : 0
}
