import { z } from 'zod'
import type { JsonValue } from '@/lib/protocol/tool'
import { queryLimits } from '../data/role-query'
import { sourceSchema } from '../data-access'
import { defineTool } from '../define-tool'

export default defineTool({
  name: 'run_query',
  description:
    'Runs one SQL query that only reads on a data source (PostgreSQL). It sees the opened columns alone: name tables with their ' +
    'schema and columns one by one, because SELECT * is refused. It may call functions of PostgreSQL that calculate, aggregate or ' +
    'format, and no others. Tables with a mark of deleted rows are not open to it, because these rows would show. Values are text. Use get_schema first; for plain rows, read_records.',
  group: 'data',
  parameters: z.object({
    source: sourceSchema,
    sql: z.string().trim().min(1).max(10_000).describe('One SELECT, VALUES or WITH statement.'),
  }),
  enabledByDefault: false,
  requiresAdmin: true,
  needs: 'data-source',
  effect: 'read',
  dataClass: 'internal-config',
  timeoutMs: 30_000,
  limits: queryLimits,
  example: { sql: 'SELECT status, count(*) FROM public.orders GROUP BY status' },
  execute: async ({ source, sql }, { resources, signal }) => {
    const { name, columns, rows, leftOut } = await resources.data.query({ source, sql, signal })
    const content: JsonValue = { source: name, columns, rows }
    const texts = rows.map((row) => row.map((value) => value ?? ''))
    return {
      content,
      leftOut,
      artifacts: [{ type: 'table', title: `Query of ${name}`, columns, rows: texts }],
    }
  },
})
