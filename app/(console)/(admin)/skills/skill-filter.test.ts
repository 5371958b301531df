import { expect, test } from 'vitest'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import { lenientQuery } from '@/lib/edge/lenient-query'
import { filterSkills, SkillQuery } from './skill-filter'

const skill = (name: string, more: Partial<SkillListing> = {}): SkillListing => ({
  id: name,
  name,
  description: '',
  source: 'upload',
  path: null,
  state: 'on',
  enabled: true,
  version: 1,
  pendingVersion: null,
  allowedTools: null,
  bytes: 10,
  checksum: '',
  updatedAt: '2026-01-01T00:00:00.000Z',
  configurations: [],
  tasks: [],
  ...more,
})
const skills = [
  skill('read-logs', { description: 'Reads the log', allowedTools: ['fetch_logs'] }),
  skill('write-well', { source: 'folder', state: 'changed' }),
  skill('unused-one', {
    state: 'off',
    configurations: [{ id: 'c', name: 'Mini', identifier: 'm' }],
  }),
]
const found = (params: Record<string, string>) =>
  filterSkills(skills, lenientQuery(SkillQuery, params)).map(({ name }) => name)

test.each([
  [{}, ['read-logs', 'write-well', 'unused-one']],
  [{ search: 'LOG reads' }, ['read-logs']],
  [{ search: 'fetch_logs' }, ['read-logs']],
  [{ search: 'mini' }, ['unused-one']],
  [{ state: 'changed' }, ['write-well']],
  [{ source: 'folder', state: 'on' }, []],
  [{ use: 'used' }, ['unused-one']],
  [
    { state: 'no such state', source: '__proto__', use: '' },
    ['read-logs', 'write-well', 'unused-one'],
  ],
])('%j', (params, names) => {
  expect(found(params)).toEqual(names)
})

test('a page is a number from 1', () => {
  expect(
    ['2', '0', '-1', 'x', '1e9'].map((page) => lenientQuery(SkillQuery, { page }).page),
  ).toEqual([2, 1, 1, 1, 1])
})
