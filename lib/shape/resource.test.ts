import { expect, test } from 'vitest'
import { z } from 'zod'
import { Identifier, Name } from './identifier'
import { keyField, resource, switchField } from './resource'
import { differencesOf } from './resource-differences'
import { unfitFields } from './resource-parts'

const hooks = resource({
  noun: 'hook',
  nouns: 'hooks',
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

const Range = z
  .object({ least: z.number(), most: z.number() })
  .refine(({ least, most }) => least <= most, { path: ['most'], message: 'Not below the least.' })

const notes = resource({
  noun: 'note',
  nouns: 'notes',
  isVersioned: true,
  together: Range,
  fields: {
    identifier: { kind: 'text', label: 'Identifier', schema: Identifier },
    name: { kind: 'text', label: 'Name', schema: Name },
    least: { kind: 'number', label: 'Least', schema: z.int(), defaultValue: 0 },
    most: { kind: 'number', label: 'Most', schema: z.int() },
    shape: {
      kind: 'textarea',
      codec: 'json',
      label: 'Shape',
      none: 'any shape',
      schema: z.object({ a: z.number() }).nullable(),
      stored: z.looseObject({}).nullable(),
      defaultValue: null,
    },
    configurationId: {
      kind: 'reference',
      to: 'configuration',
      as: 'configuration',
      label: 'Configuration',
      none: 'picked later',
      schema: z.uuid().nullable(),
      defaultValue: null,
    },
    skills: {
      kind: 'reference',
      to: 'skill',
      as: 'skills',
      isSwitched: true,
      label: 'Skills',
      schema: z.array(z.strictObject({ id: z.string(), enabled: z.boolean().default(true) })),
      defaultValue: [],
    },
    enabled: switchField('It is off.', 'Say why.'),
  },
  sorts: ['name'],
  order: 'name',
})

const given = { identifier: 'one', name: 'One', most: 3 }
const version = {
  ...given,
  least: 0,
  shape: { b: 1, a: 2 },
  configuration: { id: 'c', name: 'Fast' },
  skills: [{ id: 's', name: 'kind', enabled: true }],
}
const errorsOf = (issues: z.core.$ZodIssue[] = []) =>
  issues.map(({ path, message }) => [path.join('.'), message])

test('objects are told apart by their identifiers, else by their names', () => {
  const { identifier: _, ...others } = notes.fields
  expect(keyField(notes.fields)).toBe('identifier')
  expect(keyField(others)).toBe('name')
  expect(keyField({})).toBeNull()
})

test('a change names the version it is based on, and versions say who made them', () => {
  expect(notes.Update.shape).toHaveProperty('version')
  expect(notes.Update.shape).not.toHaveProperty('updatedAt')
  expect(notes.Listing.shape).toHaveProperty('version')
  expect(notes.Listing.shape).not.toHaveProperty('createdByLabel')
})

test('a version has all but the switch; one from before a field has its default value', () => {
  expect(notes.Version.parse({ ...version, enabled: false })).toEqual(version)
  const { shape: _shape, skills: _skills, ...old } = version
  expect(notes.Version.parse(old)).toEqual({ ...old, shape: null, skills: [] })
})

test('fields that do not fit one another are reported together with fields that are wrong by themselves', () => {
  const wrong = { ...given, name: '', least: 4 }
  const said = [
    ['name', 'Enter a name.'],
    ['most', 'Not below the least.'],
  ]
  expect(errorsOf(notes.Create.safeParse(wrong).error?.issues)).toEqual(said)
  expect(errorsOf(notes.Update.safeParse({ id: '1', ...wrong }).error?.issues)).toEqual(said)
  // A part can be checked against the stored object once both are at hand.
  expect(notes.Update.safeParse({ id: '1', least: 4 }).success).toBe(true)
  const before = { ...given, least: 4 }
  const misfit = { most: 'Not below the least.' }
  expect(unfitFields(notes, { before: given, given: { least: 4 } }, new Set())).toEqual(misfit)
  expect(unfitFields(notes, { before, given: { most: 2 } }, new Set())).toEqual(misfit)
  // A stored object may be older than the rule: it can be switched and renamed.
  expect(unfitFields(notes, { before, given: { enabled: false } }, new Set())).toEqual({})
})

test('versions differ in the words of the form, and not in what other objects are called', () => {
  const renamed = {
    configuration: { id: 'c', name: 'Quick' },
    skills: [{ id: 's', name: 'nice', enabled: true }],
  }
  expect(differencesOf(notes, version, { ...version, ...renamed })).toEqual([])
  const after = {
    ...version,
    shape: null,
    configuration: null,
    skills: [{ id: 's', name: 'kind', enabled: false }],
  }
  expect(differencesOf(notes, version, after)).toEqual([
    { field: 'shape', label: 'Shape', before: '{\n  "b": 1,\n  "a": 2\n}', after: 'any shape' },
    { field: 'configuration', label: 'Configuration', before: 'Fast', after: 'picked later' },
    { field: 'skills', label: 'Skills', before: 'kind', after: 'kind (off)' },
  ])
  const turned = { ...version, shape: { a: 2, b: 1 } }
  expect(differencesOf(notes, version, turned).map(({ field }) => field)).toEqual(['shape'])
})
