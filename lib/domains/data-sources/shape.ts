import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { choicesOf } from '@/lib/shape/field-shape'
import { secretText } from '@/lib/shape/network-fields'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import {
  adminNoteField,
  callNameField,
  groupsField,
  privateAddressField,
} from '@/lib/shape/resource-fields'
import { ConnectionString } from './shared/database-address'
import { OpenedTable } from './shared/opened-table'

const DataSourceKind = z.enum(['console', 'postgresql'])

const kindWords: Record<z.output<typeof DataSourceKind>, string> = {
  console: "This console's own database",
  postgresql: 'PostgreSQL',
}

const ofPostgresql = { only: { kind: ['postgresql'] } } as const

/** A data source: a database whose opened tables tools may read. */
export const dataSources = resource({
  ...describedNouns.dataSources,
  about: 'databases whose opened tables tools may read',
  fields: {
    name: callNameField('shop'),
    kind: {
      kind: 'select',
      label: 'Kind',
      placeholder: 'Pick a kind',
      choices: choicesOf(kindWords),
      listed: true,
      schema: DataSourceKind,
      isFixed: true,
    },
    address: {
      ...secretText({
        label: 'Connection string',
        hint: 'postgresql://reader:password@host:5432/shop, best of a user who may only read.',
        required: 'Enter the connection string.',
      }),
      ...ofPostgresql,
      schema: ConnectionString.nullable(),
      requiredOf: { kind: ['postgresql'] },
      listed: { head: 'Leads to', of: 'leadsTo' },
      searched: 'address',
    },
    privateAddressAllowed: { ...privateAddressField, ...ofPostgresql },
    groupIds: {
      ...groupsField,
      hint: 'Without a group, only admins may use it.',
    },
    note: adminNoteField,
    enabled: switchField('No tool reads it until it is switched on again.'),
  },
  sorts: ['name', 'kind', 'state'],
  order: 'name',
  filters: { kind: DataSourceKind.optional() },
  /** Its connection string without the password, and how many tables are open. */
  listed: { leadsTo: z.string().nullable(), openTables: z.int() },
  /** `queries`: run_query may run SQL on it. */
  detail: { tables: z.array(OpenedTable), queries: z.boolean() },
  acts: {
    'open-table': 'Opened a table, or changed what is open of it',
    'close-table': 'Closed a table',
    'allow-queries': 'Allowed queries',
    'refuse-queries': 'Took queries back',
  },
})
export type DataSource = ListingOf<typeof dataSources>
