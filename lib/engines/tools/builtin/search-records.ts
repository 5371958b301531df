import { z } from 'zod'
import { mostCharacters } from '../data/read-rows'
import { searchRows } from '../data/search-rows'
import { requireTable, resultOf, sourceSchema, tableSchema } from '../data-access'
import { defineTool } from '../define-tool'

const mostRows = 50

export default defineTool({
  name: 'search_records',
  description:
    'Finds rows of a table of a data source in which a text occurs, in any letter case: in its text columns, or as its whole key. ' +
    'Of a long value, the part with the text is shown. For exact values of one column, use read_records.',
  group: 'data',
  parameters: z.object({
    source: sourceSchema,
    table: tableSchema,
    text: z.string().trim().min(2).max(100).describe('What to find. It is no pattern.'),
    limit: z.int().min(1).max(mostRows).default(20),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'data-source',
  effect: 'read',
  dataClass: 'internal-config',
  timeoutMs: 20_000,
  limits: [
    `${mostRows} rows a call`,
    'the first 10,000 characters of a value',
    `${mostCharacters} characters shown of a value`,
    '5 seconds a statement',
  ],
  example: { table: 'orders', text: 'invoice' },
  execute: async ({ text, limit, ...rest }, { resources, signal }) => {
    const table = await requireTable(resources, rest)
    const rows = await resources.data.ask(table.sourceId, signal, (ask) =>
      searchRows(ask, table, { text, limit }),
    )
    return resultOf(table, rows)
  },
})
