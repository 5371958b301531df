import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ResourceField } from './field-shape'
import { Name } from './identifier'
import {
  cardText,
  listedFields,
  listedHead,
  listedText,
  searchedTexts,
  searchedWords,
} from './listed-fields'
import { groupsField, listedPrivateAddressField } from './resource-fields'

const fields: Record<string, ResourceField> = {
  name: { kind: 'text', label: 'Origin', schema: Name, listed: true },
  kind: {
    kind: 'select',
    label: 'Kind',
    choices: [{ value: 'mail', label: 'Mail server' }],
    schema: z.string(),
    listed: { head: 'Sort' },
  },
  key: {
    kind: 'text',
    label: 'Key',
    schema: z.string().nullable(),
    isSecret: true,
    listed: true,
  },
  address: {
    kind: 'text',
    label: 'Connection',
    schema: z.string(),
    isSecret: true,
    listed: { head: 'Leads to', of: 'leadsTo' },
    searched: 'address',
  },
  privateAddressAllowed: listedPrivateAddressField,
  port: { kind: 'number', codec: 'count', label: 'Port', schema: z.int(), searched: 'number' },
  groupIds: groupsField,
  note: { kind: 'text', label: 'Note', schema: z.string(), searched: true },
}
const row = {
  kind: 'mail',
  secrets: ['key'],
  leadsTo: 'db.example',
  privateAddressAllowed: true,
  groups: [],
}
const listed = listedFields(fields)

test('columns follow the form, without the name, and say what a secret, a box and a reference have', () => {
  expect(
    listed.map((field) => [listedHead(field[1]), listedText(field, row), cardText(field, row)]),
  ).toEqual([
    ['Sort', 'Mail server', 'Mail server'],
    ['Key', 'stored', ''],
    ['Leads to', 'db.example', 'db.example'],
    ['Private network', 'allowed', 'private addresses allowed'],
    ['Groups that may use it', 'admins only', ''],
  ])
})

test('a missing secret, a box that is not ticked and groups are told apart from these', () => {
  const groups = [{ name: 'Editors' }, { name: 'Support' }]
  const other = { kind: 'mail', secrets: [], privateAddressAllowed: false, groups }
  expect(listed.map((field) => [listedText(field, other), cardText(field, other)])).toEqual([
    ['Mail server', 'Mail server'],
    ['none', ''],
    ['', ''],
    ['blocked', ''],
    ['Editors, Support', ''],
  ])
})

type Searched = 'name' | 'address' | 'port' | 'note'

test('a search names what it looks at, the name always', () => {
  const { name, address, port, note } = fields as Record<Searched, ResourceField>
  expect(searchedWords({ name })).toBe('origin')
  expect(searchedWords({ name, note })).toBe('origin and note')
  expect(searchedWords({ name, port, note })).toBe('origin, number and note')
  expect(searchedWords({ name, address })).toBe('origin and address')
  expect(searchedTexts({ name, address, note }, { name: 'a', leadsTo: 'b', note: null })).toEqual([
    'a',
    'b',
    '',
  ])
})
