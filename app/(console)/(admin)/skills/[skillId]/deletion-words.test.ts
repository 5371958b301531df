import { expect, it } from 'vitest'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import { deletionWords } from './deletion-words'

const named = (name: string) => ({ id: name, identifier: name, name })
type Skill = Pick<SkillListing, 'configurations' | 'tasks' | 'source' | 'state'>
const unused: Skill = { configurations: [], tasks: [], source: 'folder', state: 'on' }

it('says why a skill cannot be deleted now, and what goes when it can', () => {
  const used = { ...unused, configurations: [named('Daily')], tasks: [named('Triage')] }
  expect(deletionWords(used)).toMatch(/^It cannot be deleted while Daily, task Triage use it/)
  expect(deletionWords({ ...used, configurations: [] })).toMatch(/while task Triage uses it/)
  expect(deletionWords(unused)).toMatch(/while its file is in the skills folder/)
  expect(deletionWords({ ...unused, state: 'missing' })).toMatch(/^All its versions are deleted/)
  expect(deletionWords({ ...unused, source: 'paste' })).toMatch(/^All its versions are deleted/)
})
