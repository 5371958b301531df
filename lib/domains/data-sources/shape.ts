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
import { countOf, formatCount } from '@/lib/words/format'
import { ConnectionString } from './shared/database-address'

const DataSourceKind = z.enum(['console', 'postgresql'])

const kindWords: Record<z.output<typeof DataSourceKind>, string> = {
  console: "This console's own database",
  postgresql: 'PostgreSQL',
}

/** Kind of value in the owner column of a table. */
export const RowOwner = z.enum(['email', 'userId'])
export type RowOwner = z.output<typeof RowOwner>

export const rowOwnerWords: Record<RowOwner, string> = {
  email: 'E-mail address',
  userId: 'User id',
}

/** A table that an admin opened, with the columns that tools may read. */
export const OpenedTable = z.object({
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  key: z
    .array(z.string())
    .meta({ description: 'What tells its rows apart; empty = nothing does.' }),
  deletedColumn: z
    .string()
    .nullable()
    .meta({ description: 'Rows where it is set are never read; null = none.' }),
  ownerColumn: z
    .string()
    .nullable()
    .meta({ description: 'Members read only the rows where it names them; null = all rows.' }),
  ownerHolds: RowOwner.nullable(),
  groupsOnly: z.boolean().meta({
    description:
      'Of members, only those of its groups may read it, not all who may use the source.',
  }),
  insertColumns: z
    .array(z.string())
    .meta({ description: 'What tools may set of a new row; empty = they insert none.' }),
  updateColumns: z
    .array(z.string())
    .meta({ description: 'What tools may change of a row; empty = they change none.' }),
  historyTable: z.string().nullable().meta({
    description:
      'Another opened table, with its schema, that says what happened to its records; null = none.',
  }),
  historyKey: z.string().nullable().meta({ description: 'Its column with the key of a record.' }),
  historyAt: z.string().nullable().meta({ description: 'Its column with the time.' }),
  historyWho: z.string().nullable().meta({ description: 'Its column with who did it.' }),
  historyKind: z.string().nullable().meta({ description: 'Its column with what was done.' }),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type OpenedTable = z.output<typeof OpenedTable>

/**
 * A table of a source that can be opened. `opened` null = it is closed. `deletedColumn`: a column that looks like the mark of deleted
 * rows. `writable`: the columns that can be opened for writing.
 */
export const FoundTable = z.object({
  schema: z.string(),
  name: z.string(),
  isView: z.boolean(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), looksSecret: z.boolean() })),
  key: z.array(z.string()),
  deletedColumn: z.string().nullable(),
  writable: z.array(z.string()),
  opened: OpenedTable.nullable(),
})
export type FoundTable = z.output<typeof FoundTable>

/** The most rows that are counted when a table is opened. */
export const mostCountedRows = 100_000

/** The count of rows, among the first ones of a table, that its mark of deleted rows hides. */
export const HiddenRows = z.object({ rows: z.int(), of: z.int() })
export type HiddenRows = z.output<typeof HiddenRows>

/** Returns the words for what a mark of deleted rows hides; null = it could not be counted. */
export function hiddenWords(mark: string, hidden: HiddenRows | null): string {
  if (hidden === null) return `The rows that ${mark} hides could not be counted.`
  return `${mark} hides ${formatCount(hidden.rows)} of ${rowsWords(hidden)}.`
}

/** Returns the words for the rows that were counted. */
export function rowsWords({ of }: HiddenRows): string {
  return `${of < mostCountedRows ? '' : 'the first '}${countOf(of, 'row')}`
}

/** The tables of a source. `trouble`: why they cannot be read now; null = they can. */
export const SourceTables = z.object({
  trouble: z.string().nullable(),
  tables: z.array(FoundTable),
  queries: z
    .string()
    .nullable()
    .meta({ description: 'Why queries cannot be allowed now; null = they can, or are.' }),
  isCut: z.boolean().meta({ description: 'There are more tables than are listed.' }),
})
export type SourceTables = z.output<typeof SourceTables>

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
        hint: 'Such as postgresql://reader:password@db.example.org:5432/shop. It is encrypted and never shown. TLS is used and the certificate checked, unless ?sslmode=require (not checked) or ?sslmode=disable (no TLS) stands at its end. Best give a user who may only read.',
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
      hint: 'Without a group, only admins may use it. They read the tables that are opened, and nothing else.',
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
