import { z } from 'zod'
import { mostCharacters, readRows } from '../data/read-rows'
import { requireTable, resultOf, sourceSchema, tableSchema } from '../data-access'
import { defineTool } from '../define-tool'

const mostFilters = 5
const mostRows = 50

const Filter = z.strictObject({
  column: z.string().max(100),
  value: z
    .union([z.string().max(2_000), z.number(), z.boolean(), z.null()])
    .describe('A value of the type of the column, such as records show it; null = empty.'),
})

export default defineTool({
  name: 'read_records',
  description:
    'Reads rows of a table of a data source, in the order of its key. Filters compare in the type of the column: times as times, ' +
    'without an offset as UTC, jsonb as jsonb; json and arrays cannot be compared. "ordered" and "compared" name the types. Give ' +
    '"next" as "after" to go on. Values are text, and long ones are cut. Use get_schema first to see tables and columns.',
  group: 'data',
  parameters: z.object({
    source: sourceSchema,
    table: tableSchema,
    filters: z.array(Filter).max(mostFilters).default([]),
    columns: z
      .array(z.string().max(100))
      .min(1)
      .max(100)
      .optional()
      .describe('Only these columns.'),
    limit: z.int().min(1).max(mostRows).default(20),
    after: z
      .string()
      .min(1)
      .max(50_000)
      .optional()
      .describe('The "next" of the answer before, as it came.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'data-source',
  effect: 'read',
  dataClass: 'internal-config',
  timeoutMs: 20_000,
  limits: [
    `${mostRows} rows a call`,
    `${mostFilters} filters, each for one value`,
    `${mostCharacters} characters a value`,
    '5 seconds a statement',
  ],
  example: { table: 'orders', filters: [{ column: 'status', value: 'open' }], limit: 20 },
  execute: async ({ filters, columns, limit, after, ...rest }, { resources, signal }) => {
    const table = await requireTable(resources, rest)
    const query = {
      filters: filters.map(({ column, value }) => ({
        column,
        value: value === null ? null : String(value),
      })),
      columns: columns === undefined ? null : [...new Set(columns)],
      limit,
      after: after ?? null,
      sign: (words: string) => resources.data.sign(table.sourceId, words),
    }
    const rows = await resources.data.ask(table.sourceId, signal, (ask) =>
      readRows(ask, table, query),
    )
    return resultOf(table, rows)
  },
})
