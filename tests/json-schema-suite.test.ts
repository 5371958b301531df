import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { readSchema } from '@/lib/json-schema/read-schema'

type Group = {
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: boolean }[]
}

const folder = 'tests/json-schema-test-suite'

/** The schemas outside `refRemote.json` that refer to another document. All in that file do. */
const remote = 'ref.json: remote ref, containing refs itself'
const newer = ['defs.json: validate definition against metaschema', remote]
const older = ['definitions.json: validate definition against metaschema', remote]
const dynamic = [
  'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first',
  'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first',
  'dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor',
  'dynamicRef.json: strict-tree schema, guards against misspelled properties',
  'dynamicRef.json: tests for implementation dynamic anchor and reference link',
]

/** A draft of somebody else without the words of validation. All words count here, so this value is refused. */
const ownDraft =
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates: refused'

test.each([
  [
    '2020-12',
    'draft2020-12',
    'https://json-schema.org/draft/2020-12/schema',
    [...newer, ...dynamic],
    [ownDraft],
  ],
  ['2019-09', 'draft2019-09', 'https://json-schema.org/draft/2019-09/schema', newer, [ownDraft]],
  ['7', 'draft7', 'http://json-schema.org/draft-07/schema#', older, []],
  ['4', 'draft4', 'http://json-schema.org/draft-04/schema#', older, []],
])(
  'draft %s: what fits is accepted, and nothing else is',
  (draft, name, $schema, expected, strict) => {
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
        if (isFit !== valid)
          wrong.push(`${title}: ${description}: ${isFit ? 'accepted' : 'refused'}`)
      }
    }
    expect(wrong).toEqual(strict)
    const remotes = groups
      .map(({ title }) => title)
      .filter((title) => title.startsWith('refRemote.json: '))
    expect(refused.sort()).toEqual([...expected, ...remotes].sort())
    const count = groups.reduce((sum, { tests }) => sum + tests.length, 0)
    const row = `| ${draft} | ${groups.length} | ${count} | ${refused.length} | 0 | ${strict.length} |`
    expect(readFileSync('docs/json-schema.md', 'utf8')).toContain(row)
  },
)

function readGroups(draft: string): (Group & { title: string })[] {
  return readdirSync(`${folder}/${draft}`).flatMap((file) => {
    const groups: Group[] = JSON.parse(readFileSync(`${folder}/${draft}/${file}`, 'utf8'))
    return groups.map((group) => ({ ...group, title: `${file}: ${group.description}` }))
  })
}
