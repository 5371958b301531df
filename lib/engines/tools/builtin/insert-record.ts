import { z } from 'zod'
import { insertRow, seeInsert, seeInserted } from '../data/write-rows'
import { requireTable, sourceSchema, tableSchema, textValues, valuesSchema } from '../data-access'
import { defineTool } from '../define-tool'

const mostShown = 32 * 1024

/** Fields that a call returns of the new row. */
const Inserted = z.object({ key: z.record(z.string(), z.string()) })

export default defineTool({
  name: 'insert_record',
  description:
    'Inserts one row into a table of a data source. Columns that are left out get what the database gives them. Use get_schema to ' +
    'see which columns can be set. Do not repeat a call that may have taken effect: look for the row first.',
  group: 'data',
  parameters: z.object({
    source: sourceSchema,
    table: tableSchema,
    values: valuesSchema('Columns with their values; null = empty.'),
  }),
  enabledByDefault: false,
  requiresAdmin: false,
  needs: 'data-source',
  effect: 'write',
  dataClass: 'internal-config',
  timeoutMs: 30_000,
  limits: ['1 row a call', '50 columns', '20,000 characters a value', '5 seconds a statement'],
  example: { table: 'orders', values: { customer: 'ada@example.org', status: 'open' } },
  look: {
    read: async ({ values, ...rest }, { resources, signal }) => {
      const table = await requireTable(resources, rest, 'insert')
      return resources.data.ask(table.sourceId, signal, (ask) =>
        seeInsert(ask, table, textValues(values)),
      )
    },
    readBack: async ({ values, ...rest }, result, { resources, signal }) => {
      const table = await requireTable(resources, rest, 'insert')
      const { key } = Inserted.parse(JSON.parse(result))
      return resources.data.ask(table.sourceId, signal, (ask) =>
        seeInserted(ask, table, { key, values: textValues(values) }),
      )
    },
  },
  execute: async ({ values, ...rest }, { resources, signal }) => {
    const table = await requireTable(resources, rest, 'insert')
    const { key, row, leftOut } = await resources.data.write(table.sourceId, signal, (ask) =>
      insertRow(ask, table, textValues(values)),
    )
    // A result that is too long is cut, and the cut part could not be read back.
    const isShort = Buffer.byteLength(JSON.stringify(row)) < mostShown
    const long = {
      what: 'the values of the new row',
      why: 'they are too long; read it by its key',
    }
    return {
      content: { key, ...(isShort && { inserted: row }) },
      leftOut: isShort ? leftOut : [long],
    }
  },
})
