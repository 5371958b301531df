import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyNoun } from '@/lib/protocol/nouns'
import { auditedTables } from './audited-tables'
import { consoleTables, openableColumns } from './denylist'

/** Returns the columns of each table of the schema, by its name in the database. */
function tablesOfSchema(): Map<string, string[]> {
  const schema = readFileSync('prisma/schema.prisma', 'utf8')
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)]
  const names = new Set(models.map(([, name]) => name))
  return new Map(
    models.map(([, name = '', body = '']) => {
      const fields = [...body.matchAll(/^ {2}(\w+) +(\w+).*$/gm)]
      const columns = fields.filter(([, , type]) => !names.has(type))
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name
      return [
        table,
        columns.map(([line, field = '']) => / @map\("(\w+)"\)/.exec(line)?.[1] ?? field),
      ]
    }),
  )
}

test('somebody decided about each table and column of the schema, and about nothing else', () => {
  const advice =
    'In lib/domains/data-sources/denylist.ts, name each column of the table: in its first text if an admin may open it to tools, in its second if it holds a secret or text of people in prompts.'
  const schema = tablesOfSchema()
  expect(schema.size).toBeGreaterThan(80)
  expect([...consoleTables.keys()].sort(), advice).toEqual([...schema.keys()].sort())
  for (const [table, columns] of schema) {
    const decided = consoleTables.get(table)
    if (decided === undefined || decided === 'denied') continue
    const named = [...decided.allowed, ...decided.denied].sort()
    expect(named, `${table}: ${advice}`).toEqual(columns.sort())
  }
})

test('a column that holds a secret by its type or its name cannot be opened', () => {
  for (const [table, columns] of tablesOfSchema()) {
    const open = openableColumns({ schema: 'public', name: table }, columns)
    const secret =
      /hash|secret|token(?!s)|cipher|challenge|credential|^prompt$|systemPrompt|payload/i
    expect(
      open.filter((column) => secret.test(column)),
      table,
    ).toEqual([])
  }
  const schema = readFileSync('prisma/schema.prisma', 'utf8')
  const bytes = [...schema.matchAll(/^ {2}(\w+) +Bytes/gm)].map(([, column]) => column)
  const open = [...consoleTables.values()].flatMap((each) =>
    each === 'denied' ? [] : [...each.allowed],
  )
  expect(open.filter((column) => bytes.includes(column))).toEqual([])
})

test('the history of rows is looked for under what the audit calls them', () => {
  const actions = readFileSync('docs/audit.md', 'utf8').match(/^\| `[a-z-]+(?=\.)/gm) ?? []
  const named = new Set(actions.map((action) => action.slice(3)))
  expect([...auditedTables.values()].filter((noun) => !named.has(noun))).toEqual([])
  // A noun that no admin can open to tools yet has no history there.
  const first =
    'approval_rules budgets channels data_sources groups hosts programs schedules search_endpoints servers sites storages tasks workspaces'
  const later = new Set(
    everyNoun.flatMap(({ table }) => (first.split(' ').includes(table) ? [] : table)),
  )
  const tables = [...auditedTables.keys()].flatMap((name) =>
    later.has(name) ? [] : (consoleTables.get(name) ?? 'denied'),
  )
  expect(tables).not.toContain('denied')
})

test('columns that are in no list stay closed, and so do other schemas', () => {
  const users = ['id', 'email', 'passwordHash', 'aNewColumn']
  expect(openableColumns({ schema: 'public', name: 'users' }, users)).toEqual(['id', 'email'])
  expect(openableColumns({ schema: 'dbos', name: 'users' }, users)).toEqual([])
  expect(openableColumns({ schema: 'pg_catalog', name: 'pg_authid' }, ['rolname'])).toEqual([])
  expect(openableColumns({ schema: 'public', name: 'a_new_table' }, ['id'])).toEqual([])
  expect(openableColumns({ schema: 'public', name: 'constructor' }, ['id'])).toEqual([])
  expect(openableColumns({ schema: 'public', name: 'vault_secrets' }, ['id', 'purpose'])).toEqual(
    [],
  )
})
