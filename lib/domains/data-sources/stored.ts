import { requireStored } from '@/lib/edge/resource-reads'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { dataSources, type OpenedTable } from './shape'

const group = { select: { group: { select: { id: true, name: true } } } } as const
const ofTable = { groups: group } as const satisfies Prisma.DataSourceTableInclude
const whole = {
  groups: group,
  tables: { include: ofTable, orderBy: [{ schema: 'asc' }, { name: 'asc' }] },
} as const satisfies Prisma.DataSourceInclude

type TableRow = Prisma.DataSourceTableGetPayload<{ include: typeof ofTable }>
export type StoredSource = ReturnType<typeof stored>

/** Finds a data source with its opened tables; null = there is none. */
export async function findDataSource(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredSource | null> {
  const row = await client.dataSource.findUnique({ where: reference, include: whole })
  return row && stored(row)
}

/** Returns a data source with its opened tables, by its id or name. Throws NotFoundError. */
export const requireDataSource = requireStored(dataSources, findDataSource)

/** Returns all data sources. */
export async function readDataSources(client: Tx): Promise<StoredSource[]> {
  return (await client.dataSource.findMany({ include: whole })).map(stored)
}

/**
 * Returns the sources that a person may use now, by name, with the tables that this person may read of them: members those that
 * are open to one of their groups, admins all (SPEC A2a).
 */
export async function usableSources(
  client: Tx,
  { userId, role }: { userId: string; role: string },
): Promise<StoredSource[]> {
  const isMember = { some: { group: { members: { some: { userId } } } } }
  const isAdmin = role === 'admin'
  const rows = await client.dataSource.findMany({
    where: { enabled: true, ...(!isAdmin && { groups: isMember }) },
    include: {
      ...whole,
      tables: {
        ...whole.tables,
        where: isAdmin ? {} : { OR: [{ groupsOnly: false }, { groups: isMember }] },
      },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map(stored)
}

function stored({
  groups: rows,
  tables,
  ...row
}: Prisma.DataSourceGetPayload<{ include: typeof whole }>) {
  const groups = named(rows)
  return { ...row, groups, groupIds: groups.map(({ id }) => id), tables: tables.map(openedTable) }
}

/** Returns an opened table as people and tools see it. */
function openedTable({ groups, ...row }: TableRow): OpenedTable {
  const { id, schema, name, columns, key, deletedColumn, ownerColumn, ownerHolds, groupsOnly } = row
  const { insertColumns, updateColumns } = row
  const { historyTable, historyKey, historyAt, historyWho, historyKind } = row
  return {
    id,
    schema,
    name,
    columns,
    key,
    deletedColumn,
    ownerColumn,
    ownerHolds,
    groupsOnly,
    insertColumns,
    updateColumns,
    historyTable,
    historyKey,
    historyAt,
    historyWho,
    historyKind,
    groups: named(groups),
  }
}

function named(rows: readonly { group: { id: string; name: string } }[]) {
  return rows.map(({ group: each }) => each).sort((a, b) => (a.name < b.name ? -1 : 1))
}
