import { type Command, Option } from 'commander'
import {
  dataSources,
  type FoundTable,
  hiddenWords,
  type OpenedTable,
  RowOwner,
} from '@/lib/domains/data-sources/shape'
import type { Ctx } from '@/lib/kernel/context'
import { factText } from '@/lib/shape/field-codec'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { commandSpec, oneOf } from '../resource-commands'

const example = `
  toolgate data-source add shop --kind postgresql --address-stdin --group Support < address.txt
  toolgate data-source tables shop
  toolgate data-source open shop public.orders --column id status total --deleted-column deleted_at
  toolgate data-source close shop public.orders`

type OpenOptions = {
  column?: string[]
  deletedColumn?: string | false
  ownerColumn?: string
  ownerHolds?: RowOwner
  insert?: string[]
  change?: string[]
  history?: string
  historyKey?: string
  historyAt?: string
  historyWho?: string
  historyKind?: string
  group?: string[]
  adminsOnly?: boolean
  everybody?: boolean
}

const table = 'name of a table, with its schema'

export const dataSourceCommands = commandSpec(dataSources, {
  example,
  words: {
    show: 'show a data source with its opened tables',
    add: 'add a data source; its connection string comes from standard input',
    delete: 'delete a data source and what was opened; the database stays',
  },
  columns: {
    KIND: ({ kind }) => factText(dataSources.fields.kind, kind),
    'LEADS TO': ({ leadsTo }) => leadsTo ?? '',
    'OPEN TABLES': ({ openTables }) => String(openTables),
    GROUPS: ({ groups }) => groups.map(({ name }) => name).join(', ') || 'admins only',
  },
  print: ({ tables }) => {
    for (const opened of tables) printLine(`open: ${openText(opened)}`)
  },
  further: addFurther,
})

function addFurther(group: Command): void {
  addTableCommands(group)
  addQueryCommands(group)
}

function addTableCommands(group: Command): void {
  command(group, 'tables', {
    description: 'list the tables that can be opened; exit code 1 if the database does not answer',
    args: oneOf(dataSources),
    work: async ({ ctx, args: [id = ''] }) => {
      const { listSourceTables } = await import('@/lib/toolset/data-sources/tables')
      const found = await listSourceTables(ctx, { id })
      const { trouble, tables } = found
      if (trouble !== null) return { json: found, text: trouble, exitCode: 1 }
      return { json: found, text: () => printTables(tables) }
    },
  })
  command<OpenOptions>(group, 'open', {
    description: 'open columns of a table, in place of what was open of it before',
    args: { ...oneOf(dataSources), '<table>': table },
    options: openingOptions,
    reason: true,
    work: async ({ ctx, args: [id = '', named = ''], options }) => {
      const { openTable } = await import('@/lib/toolset/data-sources/tables')
      const opened = await openTable(ctx, {
        id,
        ...partsOf(named),
        reason: options.reason,
        ...(await openingOf(ctx, options)),
      })
      const { deletedColumn: mark, hidden } = opened
      const words = mark === null ? '' : ` ${hiddenWords(mark, hidden)}`
      return { json: opened, text: `Opened ${named}.${words}` }
    },
  })
  command(group, 'close', {
    description: 'close a table: tools read nothing of it any more',
    args: { ...oneOf(dataSources), '<table>': table },
    reason: true,
    work: async ({ ctx, args: [id = '', named = ''], options: { reason } }) => {
      const { dataSourceVerbs } = await import('@/lib/toolset/data-sources/verbs')
      const { closeTable } = await import('@/lib/toolset/data-sources/tables')
      const { NotFoundError } = await import('@/lib/kernel/errors')
      const { schema, name } = partsOf(named)
      const { tables } = await dataSourceVerbs.read(ctx, { id })
      const opened = tables.find((each) => each.schema === schema && each.name === name)
      if (!opened) throw new NotFoundError('This opened table')
      await closeTable(ctx, { id, tableId: opened.id, reason })
      return { json: { closed: named }, text: `Closed ${named}.` }
    },
  })
}

function openingOptions(made: Command): Command {
  return made
    .requiredOption('--column <names...>', 'columns that tools may read')
    .option('--deleted-column <name>', 'rows where it is set are never read')
    .option('--no-deleted-column', 'read all rows, although a column looks like such a mark')
    .option('--owner-column <name>', 'members read only the rows where it names them')
    .addOption(
      new Option('--owner-holds <what>', 'what that column holds').choices(RowOwner.options),
    )
    .option('--insert <names...>', 'columns of new rows that tools may set')
    .option('--change <names...>', 'columns that tools may change')
    .option('--history <table>', 'an opened table that says what happened to its records')
    .option('--history-key <name>', 'its column with the key of a record')
    .option('--history-at <name>', 'its column with the time')
    .option('--history-who <name>', 'its column with who did it')
    .option('--history-kind <name>', 'its column with what was done')
    .option('--group <names...>', 'of members, only those of these groups may read it')
    .addOption(
      new Option('--admins-only', 'no member may read it').conflicts(['group', 'everybody']),
    )
    .option('--everybody', 'all members who may use the data source may read it')
}

/** Returns what is opened of a table, as the options say. */
async function openingOf(ctx: Ctx, options: OpenOptions) {
  return {
    columns: options.column ?? [],
    ...(options.deletedColumn !== undefined && { deletedColumn: options.deletedColumn || null }),
    ownerColumn: options.ownerColumn ?? null,
    ownerHolds: options.ownerHolds ?? null,
    insertColumns: options.insert ?? [],
    updateColumns: options.change ?? [],
    historyTable: options.history === undefined ? null : nameOf(partsOf(options.history)),
    historyKey: options.historyKey ?? null,
    historyAt: options.historyAt ?? null,
    historyWho: options.historyWho ?? null,
    historyKind: options.historyKind ?? null,
    ...(options.everybody && { groupsOnly: false }),
    ...(options.adminsOnly && { groupsOnly: true, groupIds: [] }),
    ...(options.group && { groupIds: await groupIds(ctx, options.group) }),
  }
}

function addQueryCommands(group: Command): void {
  command(group, 'allow-queries', {
    description: 'let runs of admins read the opened columns with SQL, as a role of the database',
    args: oneOf(dataSources),
    reason: true,
    work: async ({ ctx, args: [id = ''], options: { reason } }) => {
      const { allowQueries } = await import('@/lib/toolset/data-sources/queries')
      await allowQueries(ctx, { id, reason })
      return { json: { queries: true }, text: 'Allowed queries.' }
    },
  })
  command(group, 'refuse-queries', {
    description: 'take queries back, and drop their role in the database',
    args: oneOf(dataSources),
    reason: true,
    work: async ({ ctx, args: [id = ''], options: { reason } }) => {
      const { refuseQueries } = await import('@/lib/toolset/data-sources/queries')
      const left = await refuseQueries(ctx, { id, reason })
      return { json: left, text: left.trouble ?? 'Took queries back.' }
    },
  })
}

/** Returns schema and name; without a schema, it is "public". */
function partsOf(named: string): { schema: string; name: string } {
  const at = named.indexOf('.')
  return at === -1
    ? { schema: 'public', name: named }
    : { schema: named.slice(0, at), name: named.slice(at + 1) }
}

function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${schema}.${name}`
}

async function groupIds(ctx: Ctx, names: string[]): Promise<string[]> {
  const { withIds } = await import('@/lib/doors/cli/input/resource-options')
  const { groupIds: field } = dataSources.fields
  const { groupIds: ids } = await withIds(ctx, { groupIds: field }, { groups: names })
  return Array.isArray(ids) ? ids.map(String) : []
}

function printTables(tables: readonly FoundTable[]): void {
  const rows = tables.map(({ schema, name, columns, opened }) => [
    `${schema}.${name}`,
    opened === null ? 'closed' : `open: ${countOf(opened.columns.length, 'column')}`,
    columns
      .map((each) => (each.looksSecret ? `${each.name} (looks secret)` : each.name))
      .join(', '),
  ])
  printTable(['TABLE', 'STATE', 'COLUMNS'], rows)
}

function openText({
  schema,
  name,
  columns,
  deletedColumn,
  ownerColumn,
  insertColumns,
  updateColumns,
  historyTable,
  groupsOnly,
  groups,
}: OpenedTable): string {
  const deleted = deletedColumn === null ? '' : `, without rows where ${deletedColumn} is set`
  const owner = ownerColumn === null ? '' : `, for members only their own by ${ownerColumn}`
  const inserts = insertColumns.length > 0 ? `, new rows may set ${insertColumns.join(', ')}` : ''
  const changes = updateColumns.length > 0 ? `, may be changed: ${updateColumns.join(', ')}` : ''
  const history = historyTable === null ? '' : `, history in ${historyTable}`
  const names = groups.map((group) => group.name).join(', ')
  const readers = groupsOnly ? `, only for ${names || 'admins'}` : ''
  return `${schema}.${name} (${columns.join(', ')})${deleted}${owner}${inserts}${changes}${history}${readers}`
}
