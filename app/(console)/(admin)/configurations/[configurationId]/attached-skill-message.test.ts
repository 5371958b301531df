import { expect, test } from 'vitest'
import type { AttachedSkill } from '@/components/nouns/attached-skill'
import { attachedSkillMessage } from './attached-skill-message'

const skill = (skillId: string, enabledHere: boolean): AttachedSkill => ({
  skillId,
  name: `skill-${skillId}`,
  description: '',
  version: 1,
  checksum: '',
  allowedTools: null,
  state: 'on',
  enabledHere,
  force: 'counts',
  effective: enabledHere,
  heldBack: false,
})
const before = [skill('a', true), skill('b', false)]

test('a skill that was removed comes back to its place, on or off as it was', () => {
  expect(attachedSkillMessage({ type: 'remove', skillId: 'b' }, before)).toEqual({
    title: 'Removed skill-b',
    undo: {
      type: 'list',
      skills: [
        { skillId: 'a', enabled: true },
        { skillId: 'b', enabled: false },
      ],
    },
  })
})

test('a move and a switch are undone by their opposite', () => {
  expect(attachedSkillMessage({ type: 'move', skillId: 'b', direction: 'up' }, before)).toEqual({
    title: 'Moved skill-b up',
    undo: { type: 'change', change: { type: 'move', skillId: 'b', direction: 'down' } },
  })
  expect(attachedSkillMessage({ type: 'switch', skillId: 'a', enabled: false }, before)).toEqual({
    title: 'Switched off skill-a here',
    undo: { type: 'change', change: { type: 'switch', skillId: 'a', enabled: true } },
  })
})
