import { describe, expect, test } from 'vitest'
import { isGranted, meaningOf, partialGrants } from './skill-names'

test.each([
  ['list_groups', { tool: 'list_groups', only: null }],
  ['files__read', { tool: 'files__read', only: null }],
  ['Read', { tool: 'read_file', only: null }],
  ['Read(**)', { tool: 'read_file', only: null }],
  ['Grep', { tool: 'search_files_text', only: null }],
  ['WebSearch', { tool: 'web_search', only: null }],
  [
    'WebFetch(domain:Docs.Example.org)',
    { tool: 'fetch_url', only: { path: '$.url', operator: 'host-is', value: 'docs.example.org' } },
  ],
])('%s means %j', (name, meaning) => {
  expect(meaningOf(name)).toEqual(meaning)
})

test.each([
  'Bash',
  'Bash(git *)',
  'Task',
  'read',
  'READ',
  'Read(/etc/**)',
  'Read(~/notes)',
  'Read(../up)',
  'Read(a/../b)',
  'Read({a,b})',
  'Read([ab])',
  'Read(!secret)',
  'Read()',
  'Read(a\\b)',
  'WebFetch(example.org)',
  'WebFetch(domain:)',
  'WebFetch(domain:a b)',
  'WebSearch(x)',
  'Constructor',
])('%s allows nothing of ours', (name) => {
  for (const tool of ['read_file', 'fetch_url', 'web_search', 'exec']) {
    expect(isGranted([name], tool)).toBe(false)
  }
})

describe('a pattern of paths', () => {
  const fits = (pattern: string, path: string) =>
    new RegExp(meaningOf(`Read(${pattern})`)?.only?.value ?? '(?!)').test(path)

  test.each([
    ['docs/**', 'docs/a.md', true],
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**', 'docs', false],
    ['docs/**', 'docsx/a.md', false],
    ['docs/**', 'x/docs/a.md', false],
    ['./docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/a/b.md', false],
    ['docs/*.md', 'docs/axmd', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/a?.ts', 'src/ab.ts', true],
    ['src/a?.ts', 'src/a/.ts', false],
    ['a+(b).txt', 'a+(b).txt', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(fits(pattern, path)).toBe(expected)
  })
})

test('several names are alternatives, and one without a pattern allows every call', () => {
  expect(partialGrants(['Read(docs/**)', 'Read(src/**)', 'Write'], 'read_file')).toHaveLength(2)
  expect(partialGrants(['Read(docs/**)', 'Read'], 'read_file')).toBeNull()
  expect(partialGrants(['Read(docs/**)', 'read_file'], 'read_file')).toBeNull()
  expect(partialGrants(['Read(docs/**)'], 'write_file')).toBeNull()
  expect(partialGrants(null, 'read_file')).toBeNull()
})
