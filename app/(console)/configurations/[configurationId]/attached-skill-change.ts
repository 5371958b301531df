import type { ActionResult } from '@/lib/action'
import { isLastLimit } from '@/lib/skills/is-last-limit'
import { countsHere } from '@/lib/skills/skill-force'
import type { ConfigurationSkills } from '@/lib/toolset/configuration-skills'
import { moveSkillHere, removeSkillHere, switchSkillHere } from './skill-actions'

export type AttachedSkill = ConfigurationSkills['skills'][number]
export type MoveDirection = 'up' | 'down'
export type AttachedSkillChange =
  | { type: 'switch'; skillId: string; enabled: boolean }
  | { type: 'move'; skillId: string; direction: MoveDirection }
  | { type: 'remove'; skillId: string }

/** What the list will say once the server agrees. */
export function withChange(skills: AttachedSkill[], change: AttachedSkillChange): AttachedSkill[] {
  const index = skills.findIndex(({ skillId }) => skillId === change.skillId)
  const skill = skills[index]
  if (!skill) return skills
  switch (change.type) {
    case 'switch':
      return skills.with(index, {
        ...skill,
        enabledHere: change.enabled,
        ...countsHere(change.enabled, skill.force),
      })
    case 'remove':
      return skills.toSpliced(index, 1)
    case 'move':
      return skills
        .toSpliced(index, 1)
        .toSpliced(Math.max(0, index + (change.direction === 'up' ? -1 : 1)), 0, skill)
    default:
      return change satisfies never
  }
}

/** Whether what the list will say then has no limit left that it has now (SPEC G-S). */
export function takesLastLimit(skills: AttachedSkill[], change: AttachedSkillChange): boolean {
  const isTaken = change.type === 'remove' || (change.type === 'switch' && !change.enabled)
  return isTaken && isLastLimit(skills, change.skillId)
}

export function nameOf(skillId: string, skills: AttachedSkill[]): string {
  return skills.find((skill) => skill.skillId === skillId)?.name ?? 'the skill'
}

export function sendChange(
  configurationId: string,
  change: AttachedSkillChange,
): Promise<ActionResult<void>> {
  const { skillId } = change
  switch (change.type) {
    case 'switch':
      return switchSkillHere({ configurationId, skillId, enabled: change.enabled })
    case 'move':
      return moveSkillHere({ configurationId, skillId, direction: change.direction })
    case 'remove':
      return removeSkillHere({ configurationId, skillId })
    default:
      return change satisfies never
  }
}
