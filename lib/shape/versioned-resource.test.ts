import { expect, test } from 'vitest'
import { z } from 'zod'
import { Identifier, Name } from './identifier'
import { keyField, resource, switchField } from './resource'
import { differencesOf } from './resource-differences'
import { unfitFields } from './resource-parts'

const Range = z
  .object({ least: z.number(), most: z.number() })
  .refine(({ least, most }) => least <= most, { path: ['most'], message: 'Not below the least.' })

const notes = resource({
  noun: 'note',
  nouns: 'notes',
  scopes: { read: null, write: null },
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

test('what does not fit together is said beside what is wrong alone', () => {
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
