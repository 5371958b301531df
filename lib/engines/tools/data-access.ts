import { z } from 'zod'
import { type Artifact, type JsonValue, ToolError } from '@/lib/protocol/tool'
import { nameOf } from './data/catalogue'
import type { Rows } from './data/read-rows'
import type { UsableTable } from './data-resources'
import type { ToolResources } from './tool-resources'

/** What a call names: a table with or without its schema, and the source where that is not clear without it. */
export type AskedTable = { source?: string | undefined; table?: string | undefined }

/** Returns the tables that the actor may read among those that are named. Throws ToolError that names those there are. */
export async function usableTables(
  { data }: ToolResources,
  { source, table }: AskedTable,
): Promise<UsableTable[]> {
  const usable = await data.tables()
  const found = usable.filter(
    (each) =>
      (source === undefined || each.source === source) &&
      (table === undefined || each.name === table || nameOf(each) === table),
  )
  if (found.length > 0) return found
  throw new ToolError('not-found', `Table not found or not permitted. ${namesOf(usable)}`)
}

/** Returns the one table that is named. Throws ToolError. */
export async function requireTable(
  resources: ToolResources,
  asked: AskedTable,
): Promise<UsableTable> {
  const [found, ...others] = await usableTables(resources, asked)
  if (found && others.length === 0) return found
  throw new ToolError(
    'ambiguous',
    `Several tables have this name. Name one with its source and schema. ${namesOf([...(found ? [found] : []), ...others])}`,
  )
}

const mostNames = 30

function namesOf(usable: readonly UsableTable[]): string {
  if (usable.length === 0) return 'There is none that you may read.'
  const names = usable.slice(0, mostNames).map((each) => `${nameOf(each)} of ${each.source}`)
  const more = usable.length > names.length ? ' and others' : ''
  return `You may read: ${names.join(', ')}${more}.`
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
  { columns, rows, more, next }: Rows,
): { content: JsonValue; artifacts: Artifact[] } {
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
      more,
      ...(next && { next }),
    },
    artifacts: [{ type: 'table', title, columns, rows: texts }],
  }
}
