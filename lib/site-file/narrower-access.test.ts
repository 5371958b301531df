import { expect, test } from 'vitest'
import { narrowerAccess } from './narrower-access'

const here = {
  groups: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ],
  allowedToolGroups: ['system', 'web'],
  raisedDataClass: 'diagnostics' as const,
  fourEyes: false,
  afterUntrusted: 'ask' as const,
  enabled: true,
}
const narrow = (given: object, from: object = {}) =>
  narrowerAccess({ ...here, ...from }, { identifier: 'a', ...given })

test('takes away what the file no longer gives', () => {
  expect(
    narrow({
      groups: ['B', 'C'],
      allowedToolGroups: ['data', 'web'],
      raisedDataClass: 'content',
      fourEyes: true,
      enabled: false,
    }),
  ).toEqual({
    groups: [{ id: '2', name: 'B' }],
    allowedToolGroups: ['web'],
    raisedDataClass: 'content',
    fourEyes: true,
    enabled: false,
  })
})

test('gives nothing that the file adds', () => {
  const given = { allowedToolGroups: null, raisedDataClass: 'secret-adjacent', fourEyes: false }
  expect(narrow({ ...given, enabled: true })).toEqual({ raisedDataClass: 'diagnostics' })
  const from = { raisedDataClass: null, fourEyes: true, enabled: false }
  expect(narrow({ ...given, enabled: true }, from)).toEqual({ raisedDataClass: null })
})

test('leaves what the file does not name', () => {
  expect(narrow({})).toEqual({})
})

test('of every tool group leaves those that the file names', () => {
  const given = { allowedToolGroups: ['web'] }
  expect(narrow(given, { allowedToolGroups: null })).toEqual(given)
})
