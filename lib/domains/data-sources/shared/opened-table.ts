import { z } from 'zod'
import { defaultsOf } from '@/lib/shape/field-codec'
import { choicesOf, type ResourceField } from '@/lib/shape/field-shape'
import { part, type ResourceFields } from '@/lib/shape/resource'
import { groupReferences } from '@/lib/shape/resource-fields'
import { countOf, formatCount } from '@/lib/words/format'

/** Kind of value in the owner column of a table. */
export const RowOwner = z.enum(['email', 'userId'])
export type RowOwner = z.output<typeof RowOwner>

export const rowOwnerWords: Record<RowOwner, string> = {
  email: 'E-mail address',
  userId: 'User id',
}

const column = z.string().min(1).max(63)
const columns = z.array(column).max(100, 'At most 100 columns.').overwrite(withoutDuplicates)

function withoutDuplicates(names: string[]): string[] {
  return [...new Set(names)]
}

/** Returns the field of a column of the table that has the history; null = it has none. */
function historyColumn(label: string, help: string) {
  return {
    kind: 'own',
    label,
    schema: column
      .nullable()
      .meta({ description: `${help.charAt(0).toUpperCase()}${help.slice(1)}.` }),
    defaultValue: null,
    option: { value: 'name', help },
  } as const satisfies ResourceField
}

const historyFields = {
  historyTable: {
    kind: 'own',
    label: 'Table with the history of its records',
    hint: 'An open table with what happened to its records.',
    schema: z.string().max(130).nullable().meta({
      description:
        'Another opened table of the source, with its schema, that says what happened to its records; null = none.',
    }),
    defaultValue: null,
    option: {
      name: 'history',
      value: 'table',
      help: 'an opened table that says what happened to its records',
    },
  },
  historyKey: historyColumn('Column with the key', 'its column with the key of a record'),
  historyAt: historyColumn('Column with the time', 'its column with the time'),
  historyWho: historyColumn('Column with who did it', 'its column with who did it'),
  historyKind: historyColumn('Column with what was done', 'its column with what was done'),
} as const satisfies ResourceFields

/** The fields of a table without a history. */
export const noHistory = defaultsOf(historyFields)
export type History = typeof noHistory

/** A table that an admin opens, with the columns that tools may read. Its schema and name tell it apart. */
export const openedTables = part({
  columns: {
    kind: 'own',
    label: 'Columns that tools may read',
    schema: columns.min(1, 'Pick at least one column.'),
    option: { name: 'column', value: 'names', help: 'columns that tools may read' },
  },
  deletedColumn: {
    kind: 'own',
    label: 'Mark of deleted rows',
    hint: 'Rows are never read where it is set (not empty, false, 0, N or 1970).',
    schema: column.nullable().optional().meta({
      description:
        'Left out: a column that is called like deletedAt, if there is one; refused when it would hide every row.',
    }),
    stored: z
      .string()
      .nullable()
      .meta({ description: 'Rows where it is set are never read; null = none.' }),
    option: { value: 'name', help: 'rows where it is set are never read' },
  },
  ownerColumn: {
    kind: 'own',
    label: 'Column of the owner',
    hint: 'Members read only the rows where it names them. Admins read all.',
    schema: column
      .nullable()
      .meta({ description: 'Members read only the rows where it names them; null = all rows.' }),
    defaultValue: null,
    option: { value: 'name', help: 'members read only the rows where it names them' },
  },
  ownerHolds: {
    kind: 'select',
    label: 'What that column holds',
    placeholder: 'Pick one',
    choices: choicesOf(rowOwnerWords),
    schema: RowOwner.nullable(),
    defaultValue: null,
    option: { value: 'what', help: 'what that column holds' },
  },
  groupsOnly: {
    kind: 'select',
    label: 'Members who may read it',
    choices: [
      { value: false, label: 'Everybody who may use the data source' },
      { value: true, label: 'Only these groups' },
    ],
    schema: z
      .boolean()
      .optional()
      .meta({
        description:
          'True = of members, only those of groupIds may read it, and none when that is empty; false = all who may use the source. ' +
          'Left out: true with groupIds; else as it is, and false of a table that was closed.',
      }),
    stored: z.boolean().meta({
      description:
        'Of members, only those of its groups may read it, not all who may use the source.',
    }),
  },
  insertColumns: {
    kind: 'own',
    label: 'Columns of new rows that tools may set',
    hint: 'Without one, tools insert no rows. Each call waits for approval.',
    schema: columns.meta({
      description:
        'What tools may set of a new row; empty = they insert none. All of them, and the key, must be among columns.',
    }),
    defaultValue: [],
    option: { name: 'insert', value: 'names', help: 'columns of new rows that tools may set' },
  },
  updateColumns: {
    kind: 'own',
    label: 'Columns that tools may change',
    hint: 'Without one, tools change no rows. Each call waits for approval.',
    schema: columns.meta({
      description:
        'What tools may change of a row, never the key; empty = they change none. As for insertColumns.',
    }),
    defaultValue: [],
    option: { name: 'change', value: 'names', help: 'columns that tools may change' },
  },
  ...historyFields,
  groupIds: {
    kind: 'reference',
    to: 'group',
    as: 'groups',
    isMany: true,
    label: 'Groups that may read it',
    hint: 'Without one, only admins read it.',
    schema: groupReferences.schema.optional().meta({ description: 'Left out = as they are.' }),
    option: { name: 'group', help: 'of members, only those of these groups may read it' },
  },
})

const { columns: read, ...shown } = openedTables.Shown.shape
export const OpenedTable = z.object({
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  columns: read,
  key: z
    .array(z.string())
    .meta({ description: 'What tells its rows apart; empty = nothing does.' }),
  ...shown,
})
export type OpenedTable = z.output<typeof OpenedTable>

/** Returns what is open of a table, as it would be opened again; null = it is closed. */
export function openingOf(opened: OpenedTable | null) {
  if (opened === null) {
    const { ownerHolds, ...nothing } = defaultsOf(openedTables.fields)
    return { ...nothing, ownerHolds, columns: [], groupsOnly: false, groupIds: [] }
  }
  const { id: _id, schema: _schema, name: _name, key: _key, groups, ...facts } = opened
  return { ...facts, groupIds: groups.map((group) => group.id) }
}

/** Settings of a table that an admin opens. */
export const Opening = z.object({
  id: z.string(),
  schema: z.string().min(1).max(63),
  name: z.string().min(1).max(63),
  ...openedTables.New.shape,
})
export type Opening = z.output<typeof Opening>

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
