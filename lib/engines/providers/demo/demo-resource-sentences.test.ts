import { expect, test } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { understand } from './demo-understand'

const single: (readonly [prompt: string, expected: readonly [string, Record<string, unknown>]])[] =
  [
    ['Which pages does the site docs have?', ['get_page_tree', { site: 'docs' }]],
    ['List the pages of docs', ['get_page_tree', { site: 'docs' }]],
    [
      'Show the content of the page https://example.org/docs/start',
      ['get_page_content', { url: 'https://example.org/docs/start' }],
    ],
    ['Probe https://example.org/docs/', ['probe_url', { url: 'https://example.org/docs/' }]],
    ['How does https://example.org answer?', ['probe_url', { url: 'https://example.org' }]],
    ['Which tables may I read?', ['get_schema', {}]],
    ['Show the tables of the data source shop', ['get_schema', { source: 'shop' }]],
    ['Describe the columns of orders', ['get_schema', { table: 'orders' }]],
    ['Read 5 records of orders', ['read_records', { table: 'orders', limit: 5 }]],
    [
      'Show the records of the table orders where status is open',
      ['read_records', { table: 'orders', filters: [{ column: 'status', value: 'open' }] }],
    ],
    [
      'Search the records of orders for "blue shoes"',
      ['search_records', { table: 'orders', text: 'blue shoes' }],
    ],
    [
      'Run the query "SELECT count(*) FROM public.orders"',
      ['run_query', { sql: 'SELECT count(*) FROM public.orders' }],
    ],
    [
      'Change status from "open" to "paid" in the row of orders where id is 7',
      [
        'update_record',
        {
          table: 'orders',
          key: { id: '7' },
          set: { status: 'paid' },
          was: { status: 'open' },
        },
      ],
    ],
    [
      'Show the history of the row of orders where id is 7',
      ['get_record_history', { table: 'orders', key: { id: '7' } }],
    ],
    [
      'What happened to the record of the table orders where id is 7?',
      ['get_record_history', { table: 'orders', key: { id: '7' } }],
    ],
    [
      'Add a row to orders with status "open" and total 5',
      ['insert_record', { table: 'orders', values: { status: 'open', total: '5' } }],
    ],
  ]

test.each(single)('“%s” asks for one call', (prompt, expected) => {
  const { calls } = understand(prompt, builtinTools)
  const request = calls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)])
  expect(request).toEqual([expected])
})
