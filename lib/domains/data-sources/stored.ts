import {
  groupLinks,
  groupsOf,
  groupsOfPerson,
  usableBy,
  withGroups,
} from '@/lib/domains/rows/group-access'
import { requireStored } from '@/lib/edge/resource-reads'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { dataSources } from './shape'
import type { OpenedTable } from './shared/opened-table'

const whole = {
  ...groupLinks,
  tables: {
    include: groupLinks,
    omit: { dataSourceId: true, createdByLabel: true, createdAt: true, updatedAt: true },
    orderBy: [{ schema: 'asc' }, { name: 'asc' }],
  },
} as const satisfies Prisma.DataSourceInclude

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
  person: { userId: string; role: string },
): Promise<StoredSource[]> {
  const isMember = groupsOfPerson(person.userId)
  const rows = await client.dataSource.findMany({
    where: usableBy(person),
    include: {
      ...whole,
      tables: {
        ...whole.tables,
        where: person.role === 'admin' ? {} : { OR: [{ groupsOnly: false }, { groups: isMember }] },
      },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map(stored)
}

function stored(row: Prisma.DataSourceGetPayload<{ include: typeof whole }>) {
  const tables = row.tables.map(
    ({ groups, ...table }): OpenedTable => ({ ...table, groups: groupsOf(groups) }),
  )
  return { ...withGroups(row), tables }
}
