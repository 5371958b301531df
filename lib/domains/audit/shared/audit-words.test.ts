import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditWords } from './audit-words'

/** `tests/verbs.test.ts` keeps the document equal to what the code writes. */
const actions = [...readFileSync('docs/audit.md', 'utf8').matchAll(/^\| `([a-z.-]+)` \|/gm)].map(
  ([, action = '']) => action,
)

test('every action of the audit is a sentence', () => {
  expect(actions.length).toBeGreaterThan(100)
  expect(actions.filter((action) => auditWords(action) === null)).toEqual([])
})

test.each([
  ['tool.switch-off', 'switched off ', 'the tool ', ''],
  ['tool.reset', 'reset ', 'the tool ', ' to its default'],
  ['approval.edit', 'edited and approved ', 'a call of ', ''],
  ['setting.update', 'changed the setting ', '', ''],
  ['site.freeze', 'froze the site', '', null],
])('%s begins with “%s%s”', (action, before, noun, after) => {
  expect(auditWords(action)).toEqual({ before, noun, after })
})
