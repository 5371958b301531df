import { z } from 'zod'
import type { Artifact } from '@/lib/protocol/files/artifact'
import { type JsonValue, type LeftOut, ToolError } from '@/lib/protocol/tool'
import { nameOf } from './data/catalogue'
import type { Values } from './data/one-row'
import type { Rows } from './data/read-rows'
import type { UsableTable } from './data-resources'
import type { ToolResources } from './tool-resources'

/** A table named by a call, with or without its schema. `source` may be left out where only one has the table. */
export type AskedTable = { source?: string | undefined; table?: string | undefined }

/** Uses of a table by a call. Each is opened separately for a table. */
type Use = 'read' | 'insert' | 'update'

const useWords: Record<Use, string> = {
  read: 'read',
  insert: 'insert rows into',
  update: 'change rows of',
}

/** Returns the tables that the actor may use so among those that are named. Throws ToolError that names those there are. */
export async function usableTables(
  { data }: ToolResources,
  { source, table }: AskedTable,
  use: Use = 'read',
): Promise<UsableTable[]> {
  const usable = (await data.tables()).filter((each) => isOpenFor(each, use))
  const found = usable.filter(
    (each) =>
      (source === undefined || each.source === source) &&
      (table === undefined || each.name === table || nameOf(each) === table),
  )
  if (found.length > 0) return found
  throw new ToolError('not-found', `Table not found or not permitted. ${namesOf(usable, use)}`)
}

function isOpenFor({ insertColumns, updateColumns }: UsableTable, use: Use): boolean {
  if (use === 'read') return true
  return (use === 'insert' ? insertColumns : updateColumns).length > 0
}

/** Returns the one table that is named. Throws ToolError. */
export async function requireTable(
  resources: ToolResources,
  reference: AskedTable,
  use: Use = 'read',
): Promise<UsableTable> {
  const [found, ...others] = await usableTables(resources, reference, use)
  if (found && others.length === 0) return found
  throw new ToolError(
    'ambiguous',
    `Several tables have this name. Name one with its source and schema. ${namesOf([...(found ? [found] : []), ...others], use)}`,
  )
}

const mostNames = 30

function namesOf(usable: readonly UsableTable[], use: Use): string {
  if (usable.length === 0) return `There is none that you may ${useWords[use]}.`
  const names = usable.slice(0, mostNames).map((each) => `${nameOf(each)} of ${each.source}`)
  const more = usable.length > names.length ? ' and others' : ''
  return `You may ${useWords[use]}: ${names.join(', ')}${more}.`
}

export const sourceSchema = z
  .string()
  .max(100)
  .optional()
  .describe('The name of a data source. Needed when several have such a table.')

export const tableSchema = z
  .string()
  .max(200)
  .describe('The name of a table, such as "orders" or "public.orders".')

/** Returns rows for the model, and as a table for people. */
export function resultOf(
  table: UsableTable,
  { columns, rows, next, ordered, compared, leftOut }: Rows,
): { content: JsonValue; leftOut: LeftOut[]; artifacts: Artifact[] } {
  const named = rows.map((row) =>
    Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])),
  )
  const title = `${nameOf(table)} of ${table.source}`
  const texts = rows.map((row) => row.map((value) => value ?? ''))
  return {
    content: {
      source: table.source,
      table: nameOf(table),
      rows: named,
      ordered,
      ...(Object.keys(compared).length > 0 && { compared }),
      ...(next && { next }),
    },
    leftOut,
    artifacts: [{ type: 'table', title, columns, rows: texts }],
  }
}

const mostWritten = 50

/** Returns the schema of columns with values. Numbers and truth values are written as their text. */
export function valuesSchema(description: string) {
  const value = z.union([z.string().max(20_000), z.number(), z.boolean(), z.null()])
  return z
    .record(z.string().max(63), value)
    .refine(
      (values) => Object.keys(values).length <= mostWritten,
      `At most ${mostWritten} columns.`,
    )
    .describe(description)
}

type Given = z.output<ReturnType<typeof valuesSchema>>

/** Returns the values of a call as text, as statements take them. */
export function textValues(given: Given): Values {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
}
