import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ApiScope, sensitiveAmong } from '@/lib/protocol/api-scope'
import { everyNoun } from '@/lib/protocol/nouns'
import { type AnyResource, keyField } from '@/lib/shape/resource'
import { siteResources } from '@/lib/site-file/site-file'

async function readResources(): Promise<AnyResource[]> {
  const folders = readdirSync('lib/domains').filter((name) =>
    readdirSync(`lib/domains/${name}`).includes('shape.ts'),
  )
  const modules: object[] = await Promise.all(
    folders.map((name) => import(`@/lib/domains/${name}/shape.ts`)),
  )
  return modules.flatMap((exports) => Object.values(exports).filter(isResource))
}

function isResource(value: unknown): value is AnyResource {
  return typeof value === 'object' && value !== null && 'fields' in value && 'Listing' in value
}

test('each resource is a described noun, and each described noun is a resource', async () => {
  const resources = await readResources()
  expect(resources.map(({ noun }) => noun).toSorted()).toEqual(
    everyNoun.map(({ noun }) => noun).toSorted(),
  )
  for (const { noun, fields } of resources) {
    const { key } = everyNoun.find((each) => each.noun === noun) ?? {}
    expect([noun, key]).toEqual([noun, keyField(fields)])
  }
})

test('the table of each described noun is called as its plural, and is there', () => {
  const schema = readFileSync('prisma/schema.prisma', 'utf8')
  const tables = new Set([...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name))
  for (const { nouns, table } of everyNoun) expect(table).toBe(nouns.replaceAll('-', '_'))
  expect(everyNoun.filter(({ table }) => !tables.has(table))).toEqual([])
})

// They are stored in the audit, and stand in addresses, commands and files of users.
test('names that are stored or stand in addresses are those of the first version', async () => {
  const names = (await readResources()).map(({ noun, nouns, scopes }) =>
    [noun, nouns, scopes.read, scopes.write].join(' '),
  )
  const first = [
    'approval-rule approval-rules approval-rules:read approval-rules:write',
    'budget budgets budgets:read budgets:write',
    'channel channels channels:read channels:write',
    'data-source data-sources data-sources:read data-sources:write',
    'group groups groups:read groups:write',
    'host hosts hosts:read hosts:write',
    'program programs programs:read programs:write',
    'schedule schedules schedules:read schedules:write',
    'search-endpoint search-endpoints search-endpoints:read search-endpoints:write',
    'server servers servers:read servers:write',
    'site sites sites:read sites:write',
    'storage storages storages:read storages:write',
    'task tasks tasks:read tasks:write',
    'workspace workspaces workspaces:read workspaces:write',
  ]
  expect(names).toEqual(expect.arrayContaining(first))
})

// They are stored with API keys, and listed in this order.
test('scopes, their order and those that are sensitive are those of the first version', () => {
  const first = [
    'runs:write runs:read approvals:read approvals:write',
    'approval-rules:read approval-rules:write memory:read memory:write',
    'tools:read tools:write connections:read connections:write',
    'models:read models:write configurations:read configurations:write',
    'tasks:read tasks:write schedules:read schedules:write',
    'skills:read skills:write usage:read settings:read',
    'settings:write groups:read groups:write servers:read',
    'servers:write channels:read channels:write workspaces:read',
    'workspaces:write hosts:read hosts:write search-endpoints:read',
    'search-endpoints:write data-sources:read data-sources:write programs:read',
    'programs:write storages:read storages:write sites:read',
    'sites:write budgets:read budgets:write api-keys:read',
    'api-keys:write',
  ].join(' ')
  const known = ApiScope.options.filter((scope) => first.split(' ').includes(scope))
  expect(known.join(' ')).toBe(first)
  expect(sensitiveAmong(known)).toEqual([
    'tools:write',
    'connections:write',
    'servers:write',
    'channels:write',
    'workspaces:write',
    'hosts:write',
    'search-endpoints:write',
    'data-sources:write',
    'programs:write',
    'storages:write',
    'sites:write',
    'api-keys:write',
  ])
})

// Files of users are compared with an export line by line, and apply in this order.
test('a site file has its nouns in the order of the first version', () => {
  const first = [
    'groups tasks schedules channels hosts searchEndpoints dataSources programs storages',
    'servers workspaces sites approvalRules',
  ].join(' ')
  const kinds = Object.keys(siteResources).filter((kind) => first.split(' ').includes(kind))
  expect(kinds.join(' ')).toBe(first)
})

test('what acts by itself or reaches other systems is off after a restore, and can be switched', async () => {
  const off = everyNoun.filter(({ afterRestore }) => afterRestore === 'off')
  const first = 'channels data_sources hosts schedules search_endpoints servers sites'
  const tables = off.map(({ table }) => table)
  expect(tables).toEqual(expect.arrayContaining(first.split(' ')))
  // Being off, these would let more happen.
  expect(tables).not.toContain('approval_rules')
  expect(tables).not.toContain('budgets')
  const resources = await readResources()
  const switched = resources.filter(({ fields }) => 'enabled' in fields && 'name' in fields)
  expect(switched.map(({ noun }) => noun)).toEqual(
    expect.arrayContaining(off.map(({ noun }) => noun)),
  )
})
