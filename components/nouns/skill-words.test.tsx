import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import { deletionWords, GrantWords } from './skill-words'

const held = (names: string[], limits: boolean) => ({ names, limits })

function wordsOf(granted: string[] | null, idle: string[], heldBack = held([], false)) {
  const { container } = render(
    <GrantWords
      whose="It grants"
      grant={{ granted, unknown: [] }}
      idle={idle}
      heldBack={heldBack}
    />,
  )
  return container.textContent
}

test('says that nothing is listed only when nothing is', () => {
  expect(wordsOf(null, [])).toBe('It grants all tools that the gates allow. No tool list.')
  expect(wordsOf(null, ['read-logs'])).toBe(
    'It grants all tools that the gates allow.Switched off, so its limit does not apply: read-logs.',
  )
  expect(wordsOf(null, ['a', 'b'])).toContain('Switched off, so its limit does not apply: a, b.')
  expect(wordsOf(['get_env'], ['read-logs'])).toBe(
    'It grants get_env, if the gates allow them.Switched off, not counted: read-logs.',
  )
})

test('says what skills whose file changed still do', () => {
  expect(wordsOf(['get_env'], [], held(['read-logs'], true))).toBe(
    'It grants get_env, if the gates allow them.Changed or gone, so not sent: read-logs. Their tool limits apply until you accept the change.',
  )
  expect(wordsOf(['get_env'], [], held(['a', 'b'], false))).toContain(
    'Changed or gone, so not sent: a, b. Their tools are added when you accept the change.',
  )
})

const named = (name: string) => ({ id: name, identifier: name, name })
type Skill = Pick<SkillListing, 'configurations' | 'tasks' | 'source' | 'state'>
const unused: Skill = { configurations: [], tasks: [], source: 'folder', state: 'on' }

test('says why a skill cannot be deleted now, and what goes when it can', () => {
  const used = { ...unused, configurations: [named('Daily')], tasks: [named('Triage')] }
  expect(deletionWords(used)).toMatch(/^In use by Daily, task Triage\./)
  expect(deletionWords({ ...used, configurations: [] })).toMatch(/^In use by task Triage\./)
  expect(deletionWords(unused)).toMatch(/^Remove its file from the skills folder/)
  expect(deletionWords({ ...unused, state: 'missing' })).toMatch(/^All its versions are deleted/)
  expect(deletionWords({ ...unused, source: 'paste' })).toMatch(/^All its versions are deleted/)
})
