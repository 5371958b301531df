import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { linearPattern } from '@/lib/protocol/json-schema/linear-pattern'
import { readSchema } from '@/lib/protocol/json-schema/read-schema'

type Group = {
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: boolean }[]
}

const folder = 'tests/json-schema-test-suite'

/** The schemas whose references lead out of them. */
const remote = [
  'ref.json: remote ref, containing refs itself',
  'refRemote.json: base URI change',
  'refRemote.json: base URI change - change folder',
  'refRemote.json: base URI change - change folder in subschema',
  'refRemote.json: fragment within remote ref',
  'refRemote.json: ref within remote ref',
  'refRemote.json: remote ref',
  'refRemote.json: root ref in remote ref',
]
const identifiers = [
  'id.json: Invalid use of fragments in location-independent $id',
  'id.json: Unnormalized $ids are allowed but discouraged',
  'id.json: Valid use of empty fragments in location-independent $id',
]
const definitions = 'definitions.json: validate definition against metaschema'
const newer = [
  'defs.json: validate definition against metaschema',
  ...identifiers,
  ...remote,
  'refRemote.json: remote ref with ref to defs',
]

test.each([
  ['2020-12', 'draft2020-12', 'https://json-schema.org/draft/2020-12/schema', newer],
  ['2019-09', 'draft2019-09', 'https://json-schema.org/draft/2019-09/schema', newer],
  [
    '7',
    'draft7',
    'http://json-schema.org/draft-07/schema#',
    [definitions, ...remote, 'refRemote.json: remote ref with ref to definitions'],
  ],
  ['4', 'draft4', 'http://json-schema.org/draft-04/schema#', [definitions, ...remote]],
])('draft %s: what fits is accepted, and nothing else is', (draft, name, $schema, expected) => {
  const groups = readGroups(name)
  const refused: string[] = []
  const wrong: string[] = []
  for (const { title, schema, tests } of groups) {
    const dated = typeof schema === 'object' ? { $schema, ...schema } : schema
    const read = readSchema(dated, linearPattern)
    if (read.type === 'refused') {
      refused.push(title)
      expect(read.problems.join(' ')).toContain('Only references within the schema are followed')
      continue
    }
    for (const { description, data, valid } of tests) {
      const isFit = read.check(data).length === 0
      if (isFit !== valid) wrong.push(`${title}: ${description}: ${isFit ? 'accepted' : 'refused'}`)
    }
  }
  expect(wrong).toEqual([])
  expect(refused.sort()).toEqual([...expected].sort())
  const count = groups.reduce((sum, { tests }) => sum + tests.length, 0)
  const row = `| ${draft} | ${groups.length} | ${count} | ${refused.length} | 0 | 0 |`
  expect(readFileSync('docs/json-schema.md', 'utf8')).toContain(row)
})

function readGroups(draft: string): (Group & { title: string })[] {
  return readdirSync(`${folder}/${draft}`).flatMap((file) => {
    const groups: Group[] = JSON.parse(readFileSync(`${folder}/${draft}/${file}`, 'utf8'))
    return groups.map((group) => ({ ...group, title: `${file}: ${group.description}` }))
  })
}
