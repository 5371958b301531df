import 'server-only'
import { z } from 'zod'
import { openableColumns } from '@/lib/domains/data-sources/denylist'
import { dataSources } from '@/lib/domains/data-sources/shape'
import {
  type FoundTable,
  HiddenRows,
  hiddenWords,
  mostCountedRows,
  type OpenedTable,
  Opening,
  rowsWords,
  SourceTables,
} from '@/lib/domains/data-sources/shared/opened-table'
import { requireDataSource, type StoredSource } from '@/lib/domains/data-sources/stored'
import { requireReferred } from '@/lib/edge/resource-values'
import { changed, verb } from '@/lib/edge/verb'
import {
  type CatalogueTable,
  countHidden,
  mostTables,
  nameOf,
  readTable,
  readTables,
} from '@/lib/engines/tools/data/catalogue'
import { deletedMark } from '@/lib/engines/tools/data/columns'
import { queryRoleOf, roleProblem } from '@/lib/engines/tools/data/query-role'
import { db } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { isSecretName } from '@/lib/kernel/redaction/secret-name'
import { checkHistory } from './check-history'
import { checkWriting } from './check-writing'
import { askSource, sourceProblem } from './open-source'
import { renewGrants } from './queries'

const { read, write } = dataSources.scopes
const longestMs = 8_000

/** Lists the tables of a data source that can be opened, with what is open of them. */
export const listSourceTables = verb({
  name: 'data-source.list-tables',
  role: 'admin',
  scope: read,
  summary:
    'Lists the tables of a data source that can be opened, with their columns and what is open of them. Says why it cannot be asked now.',
  input: z.object({ id: z.string() }),
  output: SourceTables,
  transaction: false,
  run: async (_context, { id }) => {
    const source = await requireDataSource(db(), id)
    try {
      const signal = AbortSignal.timeout(longestMs)
      const { all, queries } = await askSource(db(), source, signal, async (ask) => ({
        all: await readTables(ask, null),
        queries:
          source.querySecretId === null ? await roleProblem(ask, queryRoleOf(source.id)) : null,
      }))
      const tables = all.flatMap((table) => foundTable(source, table) ?? [])
      return {
        trouble: null,
        queries,
        tables: tables.slice(0, mostTables),
        isCut: tables.length > mostTables,
      }
    } catch (error) {
      const problem = sourceProblem(error)
      return { trouble: problem, queries: problem, tables: [], isCut: false }
    }
  },
})

/** Opens columns of a table to tools, in place of those that were open of it before. */
export const openTable = verb({
  name: 'data-source.open-table',
  role: 'admin',
  scope: write,
  summary:
    'Opens columns of a table to tools, in place of what was open of it before. All others stay closed.',
  reason: 'optional',
  needsReauthentication: () => true,
  input: Opening,
  output: z.object({
    id: z.string(),
    deletedColumn: z.string().nullable(),
    hidden: HiddenRows.nullable().meta({
      description:
        'How many of the first 100,000 rows deletedColumn hides; null = none is set, or they could not be counted.',
    }),
  }),
  transaction: 'later',
  run: async ({ actor, change }, { id, groupsOnly, groupIds: groups, ...opening }) => {
    if (groupsOnly === false && groups?.length) {
      throw new ValidationError({ groupIds: 'Leave out the groups when all members may read it.' })
    }
    const source = await requireDataSource(db(), id)
    const table = await catalogueTable(source, opening)
    const checked = checkOpening(source, table, opening)
    const hidden = await hiddenRows(source, table, checked.deletedColumn)
    if (opening.deletedColumn === undefined && source.kind !== 'console') {
      requireSensible(checked.deletedColumn, hidden)
    }
    const made = await change(async (tx) => {
      await requireReferred(tx, 'groupIds', 'group', groups ?? [])
      const now = await requireDataSource(tx, source.id)
      const history = checkHistory(now, checked, opening)
      const before = now.tables.find((table) => nameOf(table) === nameOf(opening))
      // Groups that were deleted leave a table to admins. Only a word of its own opens it to all again.
      const isNarrow = groupsOnly ?? (groups?.length ? true : (before?.groupsOnly ?? false))
      const readers = isNarrow ? (groups ?? before?.groups.map((group) => group.id) ?? []) : []
      const links = { create: [...new Set(readers)].map((groupId) => ({ groupId })) }
      const data = { ...checked, ...history, groupsOnly: isNarrow }
      const named = { schema: opening.schema, name: opening.name }
      const row = before
        ? await tx.dataSourceTable.update({
            where: { id: before.id },
            data: { ...data, groups: { deleteMany: {}, ...links } },
          })
        : await tx.dataSourceTable.create({
            data: {
              ...named,
              ...data,
              groups: links,
              dataSourceId: source.id,
              createdByLabel: actor.email,
            },
          })
      const after = (await requireDataSource(tx, source.id)).tables.find(
        (each) => each.id === row.id,
      )
      return changed(
        { id: row.id, deletedColumn: checked.deletedColumn, hidden },
        {
          subject: source.id,
          before: before ? auditedTable(source, before) : null,
          after: after ? auditedTable(source, after) : null,
        },
      )
    })
    await renewGrants(source.id)
    return made
  },
})

/** Closes a table to tools. */
export const closeTable = verb({
  name: 'data-source.close-table',
  role: 'admin',
  scope: write,
  summary: 'Closes a table of a data source: tools read nothing of it any more.',
  reason: 'optional',
  input: z.object({ id: z.string(), tableId: z.uuid() }),
  transaction: 'later',
  run: async ({ change }, { id, tableId }) => {
    const closed = await change(async (tx) => {
      const source = await requireDataSource(tx, id)
      const before = source.tables.find((table) => table.id === tableId)
      if (!before) throw new NotFoundError('This opened table')
      await tx.dataSourceTable.delete({ where: { id: tableId } })
      return changed(source.id, {
        subject: source.id,
        before: auditedTable(source, before),
        after: { name: source.name },
      })
    })
    await renewGrants(closed)
  },
})

function auditedTable(
  { name }: StoredSource,
  { id: _, schema, name: table, key, historyKey, groups, ...facts }: OpenedTable,
) {
  return {
    name,
    table: `${schema}.${table}`,
    ...facts,
    // Columns named as keys would be hidden as secrets.
    orderedBy: key,
    historyOf: historyKey,
    groups: groups.map((group) => group.name),
  }
}

/** Returns a table of the catalogue as it can be opened; null = nothing of it can be. */
function foundTable(source: StoredSource, table: CatalogueTable): FoundTable | null {
  const { schema, name, isView, key } = table
  const open = openable(source, table)
  const writable = source.kind === 'console' ? [] : table.writable
  if (open.length === 0) return null
  const columns = open.map((each) => ({
    name: each.name,
    type: each.type,
    looksSecret: isSecretName(each.name) || /hash|salt/i.test(each.name),
  }))
  const opened = source.tables.find((each) => nameOf(each) === nameOf(table)) ?? null
  const deletedColumn = deletedMark(table.columns)
  return { schema, name, isView, columns, key, deletedColumn, writable, opened }
}

function openable({ kind }: StoredSource, table: CatalogueTable): CatalogueTable['columns'] {
  if (kind !== 'console') return table.columns
  const allowed = new Set(
    openableColumns(
      table,
      table.columns.map(({ name }) => name),
    ),
  )
  return table.columns.filter(({ name }) => allowed.has(name))
}

async function catalogueTable(
  source: StoredSource,
  named: { schema: string; name: string },
): Promise<CatalogueTable> {
  const signal = AbortSignal.timeout(longestMs)
  const found = await askSource(db(), source, signal, (ask) => readTable(ask, named)).catch(
    (error) => {
      throw new ConflictError(`The data source cannot be asked now. ${sourceProblem(error)}`)
    },
  )
  if (found && openable(source, found).length > 0) return found
  throw new ValidationError({ name: 'There is no such table that can be opened.' })
}

/** Returns how many rows a mark of deleted rows hides; null = there is no mark, or they cannot be counted now. */
async function hiddenRows(
  source: StoredSource,
  table: CatalogueTable,
  name: string | null,
): Promise<HiddenRows | null> {
  const mark = table.columns.find((column) => column.name === name)
  if (!mark) return null
  const signal = AbortSignal.timeout(longestMs)
  return askSource(db(), source, signal, (ask) =>
    countHidden(ask, table, { mark, most: mostCountedRows }),
  ).catch((error) => {
    sourceProblem(error)
    return null
  })
}

/** Refuses a mark that was only found by its name and would hide everything (ValidationError): a person decides about it. */
function requireSensible(mark: string | null, hidden: HiddenRows | null): void {
  if (mark === null || (hidden !== null && (hidden.of === 0 || hidden.rows < hidden.of))) return
  const found =
    hidden === null ? hiddenWords(mark, null) : `${mark} would hide all of ${rowsWords(hidden)}.`
  throw new ValidationError({
    deletedColumn: `${found} Pick it to hide them, or none to read all rows.`,
  })
}

/** Returns what is stored of an opening. Throws ValidationError for columns that the table does not have, or that stay closed. */
function checkOpening(
  source: StoredSource,
  table: CatalogueTable,
  opening: Omit<Opening, 'id' | 'groupsOnly' | 'groupIds'>,
) {
  const { columns, deletedColumn, ownerColumn, ownerHolds } = opening
  const allowed = new Set(openable(source, table).map(({ name }) => name))
  const wrong = columns.filter((name) => !allowed.has(name))
  const missing = 'The table has no such column that can be opened.'
  if (wrong.length > 0)
    throw new ValidationError({ columns: `${missing} Leave out: ${wrong.join(', ')}.` })
  const mark = deletedMark(table.columns)
  // Rows of the console that are deleted never surface, whatever an admin opens.
  const deleted = source.kind === 'console' || deletedColumn === undefined ? mark : deletedColumn
  if (deleted !== null && !table.columns.some(({ name }) => name === deleted)) {
    throw new ValidationError({ deletedColumn: missing })
  }
  if (ownerColumn !== null && !allowed.has(ownerColumn)) {
    throw new ValidationError({ ownerColumn: missing })
  }
  if (ownerColumn !== null && ownerHolds === null) {
    throw new ValidationError({ ownerHolds: 'Say what the column of the owner holds.' })
  }
  return {
    columns,
    key: table.key,
    deletedColumn: deleted,
    ownerColumn,
    ownerHolds: ownerColumn === null ? null : ownerHolds,
    ...checkWriting(source, table, { ...opening, deletedColumn: deleted }),
  }
}
