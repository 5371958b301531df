import { expect, test } from 'vitest'
import { z } from 'zod'
import { Name } from './identifier'
import { resource, switchField } from './resource'

const hooks = resource({
  noun: 'hook',
  nouns: 'hooks',
  scopes: { read: null, write: null },
  fields: {
    name: { kind: 'text', label: 'Name', schema: Name },
    kind: { kind: 'text', label: 'Kind', schema: z.enum(['a', 'b']), isFixed: true },
    secret: { kind: 'text', label: 'Secret', schema: z.string().min(3), isSecret: true },
    limit: {
      kind: 'number',
      label: 'Limit',
      schema: z.int().max(9).nullable(),
      defaultValue: null,
    },
    ownerId: {
      kind: 'reference',
      to: 'user',
      as: 'owner',
      label: 'Owner',
      schema: z.uuid(),
      isCallerByDefault: true,
    },
    days: {
      kind: 'checkboxes',
      label: 'Days',
      choices: [{ value: 'mon', label: 'Monday' }],
      schema: z.array(z.string().max(3)).max(1),
      defaultValue: [],
    },
    groupIds: {
      kind: 'reference',
      to: 'group',
      as: 'groups',
      label: 'Groups',
      isMany: true,
      schema: z.array(z.uuid()),
      defaultValue: [],
    },
    enabled: switchField('Nothing is sent.'),
  },
  sorts: ['name', 'state'],
  order: 'name',
  filters: { kind: z.enum(['a', 'b']).optional() },
  listed: { waiting: z.number() },
  detail: { last: z.string() },
})

test('a new object may leave out what has a default value, and who adds it', () => {
  const given = { name: ' One ', kind: 'a', secret: 'abc' } as const
  expect(hooks.Create.parse(given)).toEqual({
    name: 'One',
    kind: 'a',
    secret: 'abc',
    limit: null,
    days: [],
    groupIds: [],
    enabled: true,
  })
  expect(hooks.Create.safeParse({ ...given, secret: 'a' }).success).toBe(false)
  expect(hooks.Create.safeParse({ name: 'One', kind: 'a' }).success).toBe(false)
})

test('an object without a name has a title, which is shown and not given', () => {
  const { name: _name, ...fields } = hooks.fields
  const { scopes } = hooks
  const titled = resource({
    noun: 'hook',
    nouns: 'hooks',
    scopes,
    fields,
    sorts: ['title'],
    order: 'title',
  })
  expect(Object.keys(titled.Listing.shape).slice(0, 3)).toEqual(['id', 'title', 'kind'])
  expect(titled.Create.shape).not.toHaveProperty('title')
  expect(hooks.Listing.shape).not.toHaveProperty('title')
})

test('a change leaves out what stays, has no default values, and nothing that is fixed', () => {
  expect(hooks.Update.parse({ id: '1' })).toEqual({ id: '1' })
  expect(Object.keys(hooks.Update.shape)).toEqual([
    'id',
    'updatedAt',
    'name',
    'secret',
    'limit',
    'ownerId',
    'days',
    'groupIds',
    'enabled',
  ])
})

test('a list shows what references are called, what is stored from before a rule, and no secret', () => {
  const row = {
    id: '1',
    name: '',
    kind: 'b',
    limit: 12,
    owner: { id: '2', email: 'a@b.c' },
    groups: [],
    secrets: ['secret'],

    enabled: false,
    days: ['monday', 'friday'],
    waiting: 3,
    createdByLabel: 'a@b.c',
    updatedAt: '2026-01-01T00:00:00Z',
  } as const
  expect(hooks.Listing.parse({ ...row, secret: 'abc', ownerId: '2' })).toEqual(row)
  expect(Object.keys(hooks.Detail.shape)).toEqual([...Object.keys(hooks.Listing.shape), 'last'])
})

test('a list is narrowed by the switch where there is one, and by the resource itself', () => {
  expect(hooks.Filter.parse({})).toEqual({ page: 1, pageSize: 20, sort: 'name' })
  expect(hooks.Filter.parse({ page: '2', sort: '-state', state: 'off', kind: 'a' })).toEqual({
    page: 2,
    pageSize: 20,
    sort: '-state',
    state: 'off',
    kind: 'a',
  })
  expect(hooks.Wanted.safeParse({ sort: 'limit' }).success).toBe(false)
  expect('page' in hooks.Wanted.shape).toBe(false)
})
