import { linked, relinked } from '@/lib/domains/rows/group-access'
import 'server-only'
import { dataSources } from '@/lib/domains/data-sources/shape'
import {
  placeOf,
  readConnectionString,
  shownConnectionString,
} from '@/lib/domains/data-sources/shared/database-address'
import { findDataSource, readDataSources } from '@/lib/domains/data-sources/stored'
import { fieldVault } from '@/lib/domains/vault/field-vault'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { requireAllowed } from '@/lib/engines/egress/allowed-address'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { isOwnDatabase } from './open-source'

/** The operations on data sources. Saying what tools may read, and where, needs a fresh proof. */
export const dataSourceVerbs = resourceVerbs(dataSources, {
  summaries: {
    create: 'Adds a data source. Tools read nothing of it until a table is opened.',
    update:
      'Changes a data source, or switches it. Fields that are left out stay, and so does the connection string.',
    remove:
      'Deletes a data source with its connection string and what was opened. The database stays.',
    list: 'Lists the data sources.',
    read: 'Returns one data source with its opened tables.',
  },
  most: 100,
  rows: readDataSources,
  store: {
    count: (client) => client.dataSource.count(),
    find: findDataSource,
    insert: (tx, values, { address }) =>
      tx.dataSource.create({ data: { ...linked(values), ...shownOf(address) } }),
    write: (tx, id, changes, { address }) =>
      tx.dataSource.update({
        where: { id },
        data: { ...relinked(changes), ...shownOf(address) },
      }),
    remove: ({ tx }, { id, querySecretId }) => {
      if (querySecretId !== null) throw new ConflictError(takeBackFirst)
      return tx.dataSource.delete({ where: { id } })
    },
  },
  secrets: { vault: fieldVault, columns: { address: 'addressSecretId' } },
  needsReauthentication: true,
  prepare: async ({ kind, address, privateAddressAllowed, enabled }, before) => {
    if ((kind ?? before?.kind) !== 'postgresql') return
    if (address !== undefined && before && before.querySecretId !== null) {
      throw new ValidationError({ address: takeBackFirst })
    }
    const leads = address !== undefined || privateAddressAllowed !== undefined
    if (!leads && enabled !== true) return
    const read = readConnectionString(address ?? before?.shownAddress ?? '')
    if (typeof read === 'string') return
    const isAllowed = privateAddressAllowed ?? before?.privateAddressAllowed ?? false
    await requireAllowed('address', `http://${placeOf(read)}`, isAllowed)
    if (!address || !(await isOwnDatabase(read, isAllowed))) return
    throw new ValidationError({
      address: "This is the console's own database. Pick that kind for it instead.",
    })
  },
  check: async ({ tx }, { kind }, before) => {
    if (before || kind !== 'console') return
    if ((await tx.dataSource.count({ where: { kind } })) === 0) return
    throw new ValidationError({ kind: 'There is a data source of this kind already.' })
  },
  audited: ({ shownAddress }) => (shownAddress === null ? {} : { leadsTo: shownAddress }),
  lost: ({ tables }) => ({ tables: tables.map(({ schema, name }) => `${schema}.${name}`) }),
  listed: ({ shownAddress, tables }) => ({ leadsTo: shownAddress, openTables: tables.length }),
  detail: ({ tables, querySecretId }) => ({ tables, queries: querySecretId !== null }),
})

const takeBackFirst = 'Take its queries back first: they have a role in its database.'

/** Returns what is stored of a given connection string in clear. */
function shownOf(address: string | null | undefined): { shownAddress?: string | null } {
  if (address === undefined) return {}
  const read = readConnectionString(address ?? '')
  return { shownAddress: typeof read === 'string' ? null : shownConnectionString(read) }
}
