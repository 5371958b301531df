import { expect, test } from 'vitest'
import { schedules } from '@/lib/domains/schedules/shape'
import { findRestatements, linesOfNoun, nounsOf, resourceFields } from '@/scripts/house-nouns'
import { readImportGraph } from '@/scripts/import-graph'
import { countSpreadLiterals } from '@/scripts/spread-literals'

test('no file lists the fields of a resource again', async () => {
  const { texts } = readImportGraph()
  const fields = await resourceFields(texts)
  expect(fields.get('schedules')).toEqual([
    ...Object.keys(schedules.fields),
    'task',
    'configuration',
    'runAs',
  ])
  expect(findRestatements(texts, fields)).toEqual([])
})

const page = 'app/(console)/(admin)/hooks/page.tsx'
const fields = new Map([['hooks', ['name', 'kind', 'secret', 'limit', 'groupIds', 'groups']]])
const listing = 'lib/doors/cli/commands/hook.ts'

test.each([
  ['a schema', 'z.object({ name: z.string(), kind: Kind, secret, limit: z.int() })', [listing]],
  [
    'a type',
    'type Row = { name: string; kind: string; limit: number; groups: string[] }',
    [listing],
  ],
  [
    'an interface',
    'interface Row { name: string; kind: string; limit: number; groups: [] }',
    [listing],
  ],
  ['three of six', 'const row = { name, kind, secret, title, at }', []],
  ['what is read', 'const { name, kind, secret, limit, groups } = row', []],
  ['a call of each', 'print(row.name, row.kind, row.secret, row.limit, row.groups)', []],
])('%s', (_what, text, found) => {
  const texts = new Map([
    [
      'lib/domains/hooks/shape.ts',
      'const a = { name: 1, kind: 1, secret: 1, limit: 1, groupIds: 1 }',
    ],
    [page, 'export default function Page() {}'],
    [listing, text],
    ['lib/doors/cli/commands/hook.test.ts', 'const row = { name, kind, secret, limit }'],
    ['lib/domains/others/verbs.ts', 'const row = { name, kind, secret, limit }'],
  ])
  expect(findRestatements(texts, fields)).toEqual(found)
})

test('the lines of a noun are counted in each of its parts, tests left out', () => {
  const texts = new Map([
    ['lib/domains/hooks/verbs.ts', 'a\nb\n'],
    ['lib/domains/hooks/verbs.test.ts', 'a\n'],
    [page, 'a\nb\nc\n'],
    ['lib/doors/cli/commands/hook.ts', 'a\n'],
    ['lib/doors/cli/commands/hook-words.ts', 'a\n'],
    ['lib/site-file/hook-handler.ts', 'a\n'],
  ])
  const [noun] = nounsOf(texts)
  expect(noun).toEqual({ noun: 'hook', nouns: 'hooks' })
  expect(noun && linesOfNoun(noun, texts)).toEqual([
    ['domain', 2],
    ['pages', 3],
    ['commands', 2],
    ['API', 0],
    ['site file', 1],
  ])
})

test.each([
  ['an object in an object', 'const a = { ...{ b, c }, d }', 1],
  ['an object as const', "const a = { ...({ b: 'b' } as const), d }", 1],
  ['a list in a list, in another one', 'const a = [[...[1, 2], 3], ...(([4]))]', 2],
  ['values computed from a list', 'const a = [...[1, 2].map(half), 3]', 0],
  ['a choice', 'const a = { ...(b && { c }), ...(d ? { e } : {}) }', 0],
  ['parameters and attributes', 'const a = (...[b]: [B]) => <p {...{ [c]: d }} />', 0],
])('literals that are spread whole are counted: %s', (_what, text, count) => {
  expect(countSpreadLiterals('a.tsx', text)).toBe(count)
})
