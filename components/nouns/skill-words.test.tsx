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
  expect(wordsOf(null, [])).toBe(
    'It grants all tools that the other gates allow: no allowed-tools are declared.',
  )
  expect(wordsOf(null, ['read-logs'])).toBe(
    'It grants all tools that the other gates allow.read-logs lists tools but is switched off, so its limit does not apply.',
  )
  expect(wordsOf(null, ['a', 'b'])).toContain(
    'a, b list tools but are switched off, so their limit does not apply.',
  )
  expect(wordsOf(['get_env'], ['read-logs'])).toBe(
    'It grants get_env, if the other gates allow them too.read-logs lists tools too but is switched off.',
  )
})

test('says what skills whose file changed still do', () => {
  expect(wordsOf(['get_env'], [], held(['read-logs'], true))).toBe(
    'It grants get_env, if the other gates allow them too.The file of read-logs changed or is gone, so it is not sent. The last list of allowed tools still applies until you accept the change or switch the skill off.',
  )
  expect(wordsOf(['get_env'], [], held(['a', 'b'], false))).toContain(
    'The files of a, b changed or are gone, so they are not sent. The allowed tools in them are not added until you accept the change.',
  )
})

const named = (name: string) => ({ id: name, identifier: name, name })
type Skill = Pick<SkillListing, 'configurations' | 'tasks' | 'source' | 'state'>
const unused: Skill = { configurations: [], tasks: [], source: 'folder', state: 'on' }

test('says why a skill cannot be deleted now, and what goes when it can', () => {
  const used = { ...unused, configurations: [named('Daily')], tasks: [named('Triage')] }
  expect(deletionWords(used)).toMatch(/^It cannot be deleted while Daily, task Triage use it/)
  expect(deletionWords({ ...used, configurations: [] })).toMatch(/while task Triage uses it/)
  expect(deletionWords(unused)).toMatch(/while its file is in the skills folder/)
  expect(deletionWords({ ...unused, state: 'missing' })).toMatch(/^All its versions are deleted/)
  expect(deletionWords({ ...unused, source: 'paste' })).toMatch(/^All its versions are deleted/)
})
