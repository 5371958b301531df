import { z } from 'zod'
import { seeUpdate, updateRow } from '../data/write-rows'
import { requireTable, sourceSchema, tableSchema, textValues, valuesSchema } from '../data-access'
import { defineTool } from '../define-tool'

export default defineTool({
  name: 'update_record',
  description:
    'Changes one row of a table of a data source, named by its whole key. "set" has the new values, and "was" the values that these ' +
    'columns had when you read them: the row is changed only if it still has them. Use get_schema to see which columns can be changed.',
  group: 'data',
  parameters: z.object({
    source: sourceSchema,
    table: tableSchema,
    key: valuesSchema('The whole key of the row, such as {"id": 7}.'),
    set: valuesSchema('Columns with their new values; null = empty.'),
    was: valuesSchema('The same columns with the values that were read.'),
  }),
  enabledByDefault: false,
  requiresAdmin: false,
  needs: 'data-source',
  effect: 'write',
  dataClass: 'internal-config',
  timeoutMs: 30_000,
  limits: ['1 row a call', '50 columns', '20,000 characters a value', '5 seconds a statement'],
  example: {
    table: 'orders',
    key: { id: 7 },
    set: { status: 'paid' },
    was: { status: 'open' },
  },
  look: {
    read: async ({ key, set, was: _, ...rest }, { resources, signal }) => {
      const table = await requireTable(resources, rest, 'update')
      const row = { key: textValues(key), set: textValues(set) }
      return resources.data.ask(table.sourceId, signal, (ask) => seeUpdate(ask, table, row))
    },
  },
  execute: async ({ key, set, was, ...rest }, { resources, signal }) => {
    const table = await requireTable(resources, rest, 'update')
    const change = { key: textValues(key), set: textValues(set), was: textValues(was) }
    const { row: updated, leftOut } = await resources.data.write(table.sourceId, signal, (ask) =>
      updateRow(ask, table, change),
    )
    return { content: { updated }, leftOut }
  },
})
