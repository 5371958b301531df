import { expect, test } from 'vitest'
import { everything } from '@/lib/protocol/tool-access'
import { narrowerAccess } from './narrower-access'

const here = {
  groups: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ],
  allowedToolGroups: ['system', 'web'],
  allowedTools: ['list_users'],
  raisedDataClass: 'diagnostics' as const,
  fourEyes: false,
  afterUntrusted: 'ask' as const,
  memoryInPrompt: false,
  enabled: true,
}
const only = (allowedToolGroups: string[], allowedTools: string[]) => ({
  allowedToolGroups,
  allowedTools,
})
const groupOf = new Map([
  ['list_users', 'accounts'],
  ['fetch_page', 'web'],
  ['fetch_logs', 'system'],
  ['read_table', 'data'],
])
const narrow = (given: object, from: object = {}) =>
  narrowerAccess({ ...here, ...from }, { identifier: 'a', ...given }, (name) => groupOf.get(name))

test('takes away what the file no longer gives', () => {
  expect(
    narrow({
      groups: ['B', 'C'],
      allowedToolGroups: ['data', 'web'],
      raisedDataClass: 'content',
      fourEyes: true,
      memoryInPrompt: false,
      enabled: false,
    }),
  ).toEqual({
    groups: [{ id: '2', name: 'B' }],
    allowedToolGroups: ['web'],
    allowedTools: ['list_users'],
    raisedDataClass: 'content',
    fourEyes: true,
    memoryInPrompt: false,
    enabled: false,
  })
})

test('gives nothing that the file adds', () => {
  const given = {
    allowedToolGroups: null,
    raisedDataClass: 'secret-adjacent',
    fourEyes: false,
    memoryInPrompt: true,
  }
  const { allowedToolGroups, allowedTools } = here
  const names = { allowedToolGroups, allowedTools }
  expect(narrow({ ...given, enabled: true })).toEqual({ ...names, raisedDataClass: 'diagnostics' })
  const from = { raisedDataClass: null, fourEyes: true, enabled: false }
  expect(narrow({ ...given, enabled: true }, from)).toEqual({ ...names, raisedDataClass: null })
})

test('leaves what the file does not name', () => {
  expect(narrow({})).toEqual({})
})

test.each([
  ['every group becomes one', everything, { allowedToolGroups: ['web'] }, [['web'], []]],
  ['every group becomes one tool', everything, only([], ['fetch_page']), [[], ['fetch_page']]],
  ['every group stays', everything, everything, [null, []]],
  [
    'a tool of a group stays when the group goes',
    only(['web'], []),
    only([], ['fetch_page']),
    [[], ['fetch_page']],
  ],
  [
    'a tool stays when its group comes',
    only([], ['fetch_page']),
    only(['web'], []),
    [[], ['fetch_page']],
  ],
  [
    'a tool is removed',
    only(['web'], ['fetch_logs', 'list_users']),
    { allowedTools: ['list_users'] },
    [['web'], ['list_users']],
  ],
  ['another tool is added', only(['web'], []), { allowedTools: ['read_table'] }, [['web'], []]],
  [
    'a name that no tool has stays',
    only([], ['gone', 'old']),
    only(['web'], ['gone']),
    [[], ['gone']],
  ],
])('%s: only what both allow', (_case, before, given, [groups, tools]) => {
  expect(narrow(given, before)).toEqual({ allowedToolGroups: groups, allowedTools: tools })
})
